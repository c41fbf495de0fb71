"""`python -m elbowroom` is `elbowroom`."""

from elbowroom.cli import main

if __name__ == "__main__":
    main()
