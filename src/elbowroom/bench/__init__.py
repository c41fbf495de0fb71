"""The tables of `elbowroom bench`: closed forms beside measurements, speed as ratios of one run."""
