"""Names and records over the kernel: skeletons, poses, targets and their spaces, constraints, clips."""
