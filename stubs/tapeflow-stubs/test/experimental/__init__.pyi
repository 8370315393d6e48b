# Written by tools/stubs.py (make stubs).
"""tf.test.experimental"""

def sync_devices() -> None:
    """Wait until all devices have done their work: here ops are done when they return."""
