"""A Spine rig posed as its runtime poses it: order of work, world transforms, constraints."""
