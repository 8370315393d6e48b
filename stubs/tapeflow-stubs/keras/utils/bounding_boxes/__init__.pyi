# Written by tools/stubs.py (make stubs).
"""tf.keras.utils.bounding_boxes"""

from typing import Any

def affine_transform(
    boxes: Any, angle: Any, translate_x: Any, translate_y: Any, scale: Any, shear_x: Any,
    shear_y: Any, height: Any, width: Any, center_x: Any = None, center_y: Any = None,
    bounding_box_format: Any = 'xyxy',
) -> Any:
    """Applies an affine transformation to the bounding boxes."""

def clip_to_image_size(
    bounding_boxes: Any, height: Any = None, width: Any = None,
    bounding_box_format: Any = 'xyxy',
) -> Any:
    """Clips bounding boxes to be within the image dimensions."""

def compute_ciou(
    boxes1: Any, boxes2: Any, bounding_box_format: Any, image_shape: Any = None,
) -> Any:
    """Computes the Complete IoU (CIoU) between two bounding boxes or between"""

def compute_iou(
    boxes1: Any, boxes2: Any, bounding_box_format: Any, use_masking: Any = False,
    mask_val: Any = -1, image_shape: Any = None,
) -> Any:
    """Computes a lookup table vector containing the ious for a given set boxes."""

def convert_format(
    boxes: Any, source: Any, target: Any, height: Any = None, width: Any = None,
    dtype: Any = 'float32',
) -> Any:
    """Converts bounding boxes between formats."""

def crop(
    boxes: Any, top: Any, left: Any, height: Any, width: Any, bounding_box_format: Any = 'xyxy',
) -> Any:
    """Crops bounding boxes based on the given offsets and dimensions."""

def decode_deltas_to_boxes(
    anchors: Any, boxes_delta: Any, anchor_format: Any, box_format: Any,
    encoded_format: Any = 'center_yxhw', variance: Any = None, image_shape: Any = None,
) -> Any:
    """Converts bounding boxes from delta format to the specified `box_format`."""

def encode_box_to_deltas(
    anchors: Any, boxes: Any, anchor_format: Any, box_format: Any,
    encoding_format: Any = 'center_yxhw', variance: Any = None, image_shape: Any = None,
) -> Any:
    """Encodes bounding boxes relative to anchors as deltas."""

def pad(
    boxes: Any, top: Any, left: Any, height: Any = None, width: Any = None,
    bounding_box_format: Any = 'xyxy',
) -> Any:
    """Pads bounding boxes by adding top and left offsets."""
