"""The command line: one module a command. Each parses, calls a public function and prints; no mathematics."""

try:
    from elbowroom.cli.app import main
except KeyboardInterrupt:  # stopped before there was anything to stop
    raise SystemExit(130) from None

__all__ = ["main"]
