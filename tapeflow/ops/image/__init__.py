"""Images: tf.image, and what of tf.io, tf.nn and tf.raw_ops belongs with it.

Loaded when one of its names is asked for.
"""

from tapeflow.ops.image import boxes as boxes
from tapeflow.ops.image import colour as colour
from tapeflow.ops.image import cropping as cropping
from tapeflow.ops.image import crops as crops
from tapeflow.ops.image import distortion as distortion
from tapeflow.ops.image import hsv as hsv
from tapeflow.ops.image import patches as patches
from tapeflow.ops.image import quality as quality
from tapeflow.ops.image import randomised as randomised
from tapeflow.ops.image import resizing as resizing
from tapeflow.ops.image import suppression as suppression
from tapeflow.ops.image.files import image_codecs as image_codecs


def _publish_old_names() -> None:
    """tf.compat.v1.image has nearly all that tf.image has, and forms of its own for some."""
    from tapeflow.base.exports import PUBLIC, publish
    for name, value in list(PUBLIC.items()):
        new = name.startswith("image.stateless_") or name == "image.resize_with_pad"
        if name.startswith("image.") and not new and f"compat.v1.{name}" not in PUBLIC:
            publish(value, f"compat.v1.{name}")


_publish_old_names()
