"""A filmed walk on scout's legs: what a detector saw in a video becomes targets.

data/walker.keypoints.json (whose it is: data/ATTRIBUTION.md) says where a detector saw hips, knees and feet of a woman
who walks past a camera: pixels, y down. In some frames left and right are exchanged, some landmarks are guesses, all of
them tremble. All this is mended before the solve, and the report tells film from repair. The picture is mirrored: she
walks to the left, scout to the right, and her left leg, the one near the camera, is scout's right leg.

Writes into the folder given as argument, or into ./out: scout with the walk as targets, the baked walk, a picture.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.linalg import norm

import elbowroom as er
from elbowroom import render

HERE = Path(__file__).resolve().parent
FILM, SCOUT, NAME = HERE / "data/walker.keypoints.json", HERE / "rigs/scout.rig.json", "filmed walk"
SIDES = {"left": "r", "right": "l"}  # whose leg becomes which of scout's, in the mirror
JOINTS, (HIP, KNEE, ANKLE, HEEL, TOE) = ("hip", "knee", "ankle", "heel", "foot_index"), range(5)
SEEN, EDGE = 0.5, 0.02  # below this visibility, or this near to the edge [of the picture], a landmark is a guess
WINDOW = 9  # samples of the filter: 0.3 s at 30 fps lets a walk pass (some 6 Hz) and stops the tremble
STANDS = 0.25  # an ankle slower than this [of the walking speed] stands
Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Stands = list[tuple[int, slice]]  # (leg, frames)


def read(path: Path) -> tuple[float, Array, Mask]:
    """fps, points (T, 5 joints, 2 legs, 2) [px] with y up (turned here and nowhere else), seen (T, 5, 2)."""
    data = json.loads(path.read_text("utf-8"))
    pick = [[data["names"].index(f"{side}_{joint}") for side in SIDES] for joint in JOINTS]
    every = np.array(data["frames"], dtype=np.float64)[:, pick]
    x, y, visible = (every[..., data["columns"].index(name)] for name in ("x", "y", "visibility"))
    inside = (np.abs(x / data["width"] - 0.5) < 0.5 - EDGE) & (np.abs(y / data["height"] - 0.5) < 0.5 - EDGE)
    return data["fps"], np.stack([x, data["height"] - y], axis=-1), inside & (visible >= SEEN)


def leg_length(points: Array) -> float:
    """Thigh and shin [px], as they are in most frames."""
    return float(sum(np.median(norm(points[:, a] - points[:, a + 1], axis=-1)) for a in (HIP, KNEE)))


def exchanged(points: Array, *, price: float = 0.02) -> Mask:
    """(T,) the frames in which left and right are exchanged: the cheapest of all 2^T answers (A. Viterbi, 1967).

    A frame costs how far its landmarks are from where the two frames before lead [leg lengths], for speed tells legs
    apart where they pass each other; and `price` for being exchanged, as that is the exception.
    """
    legs, steps = points[:, KNEE:] / leg_length(points), []
    ways, cost = np.stack([legs, legs[:, :, ::-1]]), np.zeros((2, 2))  # cost[a, b]: of the best that ends with a, b
    for t in range(2, len(legs)):
        led = 2.0 * ways[np.newaxis, :, t - 1] - ways[:, np.newaxis, t - 2]
        off = norm(ways[:, t] - led[:, :, np.newaxis], axis=-1)  # (a, b, c, joint, leg)
        total = cost[..., np.newaxis] + off.sum(axis=(-2, -1)) + [0.0, price]
        steps.append(total.argmin(axis=0))
        cost = total.min(axis=0)
    answer = [*divmod(int(cost.argmin()), 2)][::-1]
    for step in reversed(steps):
        answer.append(int(step[answer[-1], answer[-2]]))
    return np.array(answer[::-1], dtype=np.bool_)


def filled(track: Array, gaps: Mask) -> Array:
    """A track (T, 2) with straight lines across its gaps."""
    frames, good = np.arange(len(track)), np.flatnonzero(~gaps)
    return np.stack([np.interp(frames, good, track[good, axis]) for axis in (0, 1)], axis=1)


def outliers(track: Array, gaps: Mask, *, deviations: float = 4.0, least: float = 0.0) -> Mask:
    """(T,) samples farther off the smoothed track than its median allows (F. Hampel's rule), and than `least`."""
    wild = np.zeros(len(track), dtype=np.bool_)
    while True:
        whole = filled(track, gaps | wild)
        off = norm(whole - er.smooth(whole, window=WINDOW), axis=-1)
        # only the worst of a neighbourhood goes at a time: it bends the smoothed track beside it, too
        near = np.lib.stride_tricks.sliding_window_view(np.pad(off, WINDOW // 2), WINDOW).max(axis=1)
        found = (off > max(deviations * 1.4826 * float(np.median(off)), least)) & (off == near) & ~(gaps | wild)
        if not found.any():
            return wild
        wild |= found


def cleaned(raw: Array, seen: Mask) -> tuple[Array, Mask]:
    """The smoothed points, and which landmarks were outliers."""
    points, wild, least = raw.copy(), np.zeros_like(seen), 0.02 * leg_length(raw)
    for at in np.ndindex(*wild.shape[1:]):
        wild[:, *at] = outliers(raw[:, *at], ~seen[:, *at], least=least)
        points[:, *at] = er.smooth(filled(raw[:, *at], wild[:, *at] | ~seen[:, *at]), window=WINDOW)
    return points, wild


def stands_of(points: Array) -> Stands:
    """Every stand: from the first to the last slow frame of an ankle on one spot."""
    speed = np.abs(np.gradient(points[:, ANKLE, :, 0], axis=0))
    speed[-(WINDOW // 2) :] = speed[-(WINDOW // 2) - 1]  # the last frames have no neighbours to be smoothed with
    slow, found = speed < STANDS * np.ptp(points[:, HIP, 0, 0]) / len(points), []
    for leg in (0, 1):
        frames = np.flatnonzero(slow[:, leg])
        far = np.abs(np.diff(points[frames, ANKLE, leg, 0])) > 0.5 * leg_length(points)
        found += [(leg, slice(int(f[0]), int(f[-1]) + 1)) for f in np.split(frames, np.flatnonzero(far) + 1)]
    return found


def placed(points: Array, tracks: Array, stands: Stands, leg: float) -> Any:
    """Points of the film in scout's world: x mirrored and from 0 on, y above the floor, her leg as long as `leg`.

    The floor leads from stand to stand in straight lines: to a camera no floor is level. Her leg is as long as her hip
    and ankle get apart in 95 of 100 frames, for scout's legs hang on one point and hers do not.
    """
    spots = [(np.median(at[:, 0]), np.quantile(at[:, 1], 0.2)) for at in (tracks[f, ANKLE, k] for k, f in stands)]
    height = points[..., 1] - np.interp(points[..., 0], *np.array(sorted(spots)).T)
    own = np.quantile(norm(tracks[:, ANKLE] - tracks[:, HIP].mean(axis=1, keepdims=True), axis=-1), 0.95)
    return np.stack([tracks[0, HIP, :, 0].mean() - points[..., 0], height], axis=-1) * (leg / own)


def grounded(walk: Array, stands: Stands) -> Array:
    """The walk with ankles that, while they stand, neither lift and land nor slip to and fro; none sinks."""
    walk = walk.copy()
    for leg, frames in stands:
        walk[frames, ANKLE, leg] = np.minimum.accumulate(walk[frames, ANKLE, leg][::-1])[::-1]
    walk[:, ANKLE, :, 1] = np.maximum(walk[:, ANKLE, :, 1], 0.0)
    return walk


def record(rig: dict[str, Any], walk: Array, stands: Stands, fps: float) -> dict[str, Any]:
    """Scout's record with the walk as its only clip: hip and feet keyed, ankles (and arms) as targets."""
    hip, ankles, along = walk[:, HIP].mean(axis=1), walk[:, ANKLE], walk[:, TOE] - walk[:, HEEL]
    pitch, swing = np.degrees(np.arctan2(along[..., 1], along[..., 0])), 0.45 * (ankles[..., 0] - hip[:, :1])

    def keys(*columns: Array) -> Any:
        return np.round(np.stack([np.arange(len(walk)) / fps, *columns], axis=1), 6).tolist()

    bones, targets = {"hip": {"x": keys(hip[:, 0]), "y": keys(hip[:, 1])}}, {}
    for leg, side in enumerate(SIDES.values()):
        flat = np.median(np.concatenate([pitch[f, leg] for k, f in stands if k == leg]))
        toe = next(bone["length"] for bone in rig["bones"] if bone["name"] == f"foot_{side}")
        lowest = -np.degrees(np.arcsin(np.minimum(ankles[:, leg, 1] / toe, 1.0)))  # with the toe on the floor
        bones[f"foot_{side}"] = {"rotation_deg": keys(np.maximum(pitch[:, leg] - flat, lowest))}
        targets[f"leg_{side}"] = {"position": keys(*ankles[:, leg].T), "space": [[0, "world"]]}
        arm = keys(5.0 + swing[:, 1 - leg], 0.15 * np.abs(swing[:, 1 - leg]))  # not filmed: against the legs
        targets[f"arm_{side}"] = {"position": arm, "space": [[0, "character"]]}
    return rig | {"clips": {NAME: {"fps": fps, "bones": bones, "targets": targets}}}


def mended(path: Path, leg: float) -> tuple[float, Array, Stands]:
    """fps, the walk of a film in scout's world, and when which leg stands; prints what was repaired."""
    fps, film, seen = read(path)
    swaps = exchanged(film)
    points = np.where(swaps[:, None, None, None], film[:, :, ::-1], film)
    seen = np.where(swaps[:, None, None], seen[:, :, ::-1], seen)
    feet = np.flatnonzero(seen[:, [ANKLE, TOE]].all(axis=(1, 2)))
    used = slice(int(feet[0]), int(feet[-1]) + 1)  # as long as both feet are in sight
    tracks, wild = cleaned(points[used], seen[used])
    stands, gaps = stands_of(tracks), ~seen[used]
    before, raw, smooth = (placed(p, tracks, stands, leg) for p in (film[used], points[used], tracks))
    walk = grounded(smooth, stands)
    # third differences of the ankles hold the noise (times the root of 20) and hardly any motion
    noise = [np.sqrt((np.diff(p[:, ANKLE], 3, axis=0) ** 2).mean() / 20.0) for p in (before, raw, walk)]
    print(f"film      {len(film)} frames, {used.start} cut at the start and {len(film) - used.stop} at the end")
    print(f"swaps     {swaps.sum()} frames of the film: {', '.join(map(str, np.flatnonzero(swaps)))}")
    print(f"dropouts  {gaps.sum()} of {gaps.size} landmarks hardly seen ({gaps[:, ANKLE].sum()} of ankles), filled")
    print(f"outliers  {wild.sum()} landmarks off their course ({wild[:, ANKLE].sum()} of ankles), filled")
    print(f"tremble   of ankles {noise[0]:.2f}, with their legs back {noise[1]:.2f}, now {noise[2]:.2f}")
    moved = np.sqrt(2.0 * ((walk - raw)[:, ANKLE] ** 2).mean())
    print(f"moved     ankles by {moved:.2f} rms, not counting the swaps; scout's leg is {leg:g} long")
    return fps, walk, stands


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    source, name = out / "filmed_walk.targets.rig.json", out / "filmed_walk.rig.json"
    scout = json.loads(SCOUT.read_text("utf-8"))
    leg = sum(bone["length"] for bone in scout["bones"] if bone["name"] in ("thigh_l", "shin_l"))
    fps, walk, stands = mended(FILM, leg)
    source.write_text(json.dumps(record(scout, walk, stands, fps)), "utf-8")
    rig = er.load(source)
    posed, solutions = er.solve(rig, rig.clip(NAME, fps))
    for k, side in enumerate(SIDES.values()):
        found = solutions[f"leg_{side}"]
        worst, slips = int(found.error.argmax()), [np.ptp(found.joints[f, -1, 0]) for leg, f in stands if leg == k]
        why = " ".join(str(flag.name) for flag in er.Why if found.why[worst] & flag)
        print(f"leg_{side}     misses by {found.error[worst]:.2f} at most, in frame {worst} ({why}), drifts by "
              f"{np.median(slips):.1f} in a stand, at most {max(slips):.1f}")  # fmt: skip
    er.save(er.bake(rig, NAME, fps=fps), name)
    apart = norm(er.load(name).clip(NAME, fps).tips() - posed.tips(), axis=-1).max()
    print(f"baked     keys without inverse kinematics, at most {apart:.3f} off the solved pose")
    print(er.check(rig, fps=fps))
    print(f"wrote {source}\nwrote {name}")
    svgs = render.film(rig, posed, solutions, size=(880, 330), ground=0.0, rings=False)
    try:
        print(f"wrote {render.save_picture(out / 'filmed_walk.gif', svgs, fps=fps)}")
    except er.InputError as error:  # without the extra "render"
        print(f"no GIF: {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
