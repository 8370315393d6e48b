# Written by tools/stubs.py (make stubs).
"""tf.keras.applications"""

from typing import Any

from tapeflow.keras.applications import (
    convnext as convnext,
    densenet as densenet,
    efficientnet as efficientnet,
    efficientnet_v2 as efficientnet_v2,
    imagenet_utils as imagenet_utils,
    inception_resnet_v2 as inception_resnet_v2,
    inception_v3 as inception_v3,
    mobilenet as mobilenet,
    mobilenet_v2 as mobilenet_v2,
    mobilenet_v3 as mobilenet_v3,
    nasnet as nasnet,
    resnet as resnet,
    resnet50 as resnet50,
    resnet_v2 as resnet_v2,
    vgg16 as vgg16,
    vgg19 as vgg19,
    xception as xception,
)

def ConvNeXtBase(
    include_top: Any = True, include_preprocessing: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'convnext_base',
) -> Any:
    """Instantiates the ConvNeXtBase architecture."""

def ConvNeXtLarge(
    include_top: Any = True, include_preprocessing: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'convnext_large',
) -> Any:
    """Instantiates the ConvNeXtLarge architecture."""

def ConvNeXtSmall(
    include_top: Any = True, include_preprocessing: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'convnext_small',
) -> Any:
    """Instantiates the ConvNeXtSmall architecture."""

def ConvNeXtTiny(
    include_top: Any = True, include_preprocessing: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'convnext_tiny',
) -> Any:
    """Instantiates the ConvNeXtTiny architecture."""

def ConvNeXtXLarge(
    include_top: Any = True, include_preprocessing: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'convnext_xlarge',
) -> Any:
    """Instantiates the ConvNeXtXLarge architecture."""

def DenseNet121(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'densenet121',
) -> Any:
    """Instantiates the Densenet121 architecture."""

def DenseNet169(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'densenet169',
) -> Any:
    """Instantiates the Densenet169 architecture."""

def DenseNet201(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'densenet201',
) -> Any:
    """Instantiates the Densenet201 architecture."""

def EfficientNetB0(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb0',
) -> Any:
    """Instantiates the EfficientNetB0 architecture."""

def EfficientNetB1(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb1',
) -> Any:
    """Instantiates the EfficientNetB1 architecture."""

def EfficientNetB2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb2',
) -> Any:
    """Instantiates the EfficientNetB2 architecture."""

def EfficientNetB3(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb3',
) -> Any:
    """Instantiates the EfficientNetB3 architecture."""

def EfficientNetB4(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb4',
) -> Any:
    """Instantiates the EfficientNetB4 architecture."""

def EfficientNetB5(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb5',
) -> Any:
    """Instantiates the EfficientNetB5 architecture."""

def EfficientNetB6(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb6',
) -> Any:
    """Instantiates the EfficientNetB6 architecture."""

def EfficientNetB7(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'efficientnetb7',
) -> Any:
    """Instantiates the EfficientNetB7 architecture."""

def EfficientNetV2B0(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-b0',
) -> Any:
    """Instantiates the EfficientNetV2B0 architecture."""

def EfficientNetV2B1(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-b1',
) -> Any:
    """Instantiates the EfficientNetV2B1 architecture."""

def EfficientNetV2B2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-b2',
) -> Any:
    """Instantiates the EfficientNetV2B2 architecture."""

def EfficientNetV2B3(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-b3',
) -> Any:
    """Instantiates the EfficientNetV2B3 architecture."""

def EfficientNetV2L(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-l',
) -> Any:
    """Instantiates the EfficientNetV2L architecture."""

def EfficientNetV2M(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-m',
) -> Any:
    """Instantiates the EfficientNetV2M architecture."""

def EfficientNetV2S(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'efficientnetv2-s',
) -> Any:
    """Instantiates the EfficientNetV2S architecture."""

def InceptionResNetV2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'inception_resnet_v2',
) -> Any:
    """Instantiates the Inception-ResNet v2 architecture."""

def InceptionV3(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'inception_v3',
) -> Any:
    """Instantiates the Inception v3 architecture."""

def MobileNet(
    input_shape: Any = None, alpha: Any = 1.0, depth_multiplier: Any = 1, dropout: Any = 0.001,
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    pooling: Any = None, classes: Any = 1000, classifier_activation: Any = 'softmax',
    name: Any = None,
) -> Any:
    """Instantiates the MobileNet architecture."""

def MobileNetV2(
    input_shape: Any = None, alpha: Any = 1.0, include_top: Any = True,
    weights: Any = 'imagenet', input_tensor: Any = None, pooling: Any = None,
    classes: Any = 1000, classifier_activation: Any = 'softmax', name: Any = None,
) -> Any:
    """Instantiates the MobileNetV2 architecture."""

def MobileNetV3Large(
    input_shape: Any = None, alpha: Any = 1.0, minimalistic: Any = False,
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    classes: Any = 1000, pooling: Any = None, dropout_rate: Any = 0.2,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'MobileNetV3Large',
) -> Any:
    """Instantiates the MobileNetV3Large architecture."""

def MobileNetV3Small(
    input_shape: Any = None, alpha: Any = 1.0, minimalistic: Any = False,
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    classes: Any = 1000, pooling: Any = None, dropout_rate: Any = 0.2,
    classifier_activation: Any = 'softmax', include_preprocessing: Any = True,
    name: Any = 'MobileNetV3Small',
) -> Any:
    """Instantiates the MobileNetV3Small architecture."""

def NASNetLarge(
    input_shape: Any = None, include_top: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'nasnet_large',
) -> Any:
    """Instantiates a NASNet model in ImageNet mode."""

def NASNetMobile(
    input_shape: Any = None, include_top: Any = True, weights: Any = 'imagenet',
    input_tensor: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'nasnet_mobile',
) -> Any:
    """Instantiates a Mobile NASNet model in ImageNet mode."""

def ResNet101(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'resnet101',
) -> Any:
    """Instantiates the ResNet101 architecture."""

def ResNet101V2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'resnet101v2',
) -> Any:
    """Instantiates the ResNet101V2 architecture."""

def ResNet152(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'resnet152',
) -> Any:
    """Instantiates the ResNet152 architecture."""

def ResNet152V2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'resnet152v2',
) -> Any:
    """Instantiates the ResNet152V2 architecture."""

def ResNet50(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'resnet50',
) -> Any:
    """Instantiates the ResNet50 architecture."""

def ResNet50V2(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'resnet50v2',
) -> Any:
    """Instantiates the ResNet50V2 architecture."""

def VGG16(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'vgg16',
) -> Any:
    """Instantiates the VGG16 model."""

def VGG19(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'vgg19',
) -> Any:
    """Instantiates the VGG19 model."""

def Xception(
    include_top: Any = True, weights: Any = 'imagenet', input_tensor: Any = None,
    input_shape: Any = None, pooling: Any = None, classes: Any = 1000,
    classifier_activation: Any = 'softmax', name: Any = 'xception',
) -> Any:
    """Instantiates the Xception architecture."""
