"""What a Spine file says that the native record does not: constraints, slots, skins, paths, as its runtime has them."""
