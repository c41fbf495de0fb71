"""Numbers in, numbers out: no bone names, no files. Start with two_bone.py."""
