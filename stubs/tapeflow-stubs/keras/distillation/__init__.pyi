# Written by tools/stubs.py (make stubs).
"""tf.keras.distillation"""

from typing import Any

import tapeflow as tf

class DistillationLoss:
    """Base class for distillation loss computation."""
    def compute_loss(
        self, teacher_outputs: Any, student_outputs: Any, **kwargs: Any,
    ) -> Any:
        """Compute distillation loss between teacher and student outputs."""
    def validate_outputs(self, teacher_outputs: Any, student_outputs: Any) -> Any:
        """Validate that teacher and student outputs are compatible."""
    def validate_model_compatibility(self, teacher: Any, student: Any) -> Any:
        """Validate that teacher and student models are compatible."""

class Distiller(tf.keras.Model):
    """Distillation model for transferring knowledge from teacher to student."""
    def __init__(
        self, teacher: Any, student: Any, distillation_losses: Any,
        distillation_loss_weights: Any = None, student_loss_weight: Any = 0.5,
        name: Any = 'distiller', **kwargs: Any,
    ) -> None: ...
    def compile(
        self, optimizer: Any = 'adam', loss: Any = None, metrics: Any = None, **kwargs: Any,
    ) -> Any:
        """Compile the distiller with proper integration."""
    def call(self, inputs: Any, training: Any = None, **kwargs: Any) -> Any:
        """Forward pass returns student predictions."""
    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None,
        training: Any = True,
    ) -> Any:
        """Compute combined distillation loss."""
    def reset_metrics(self) -> Any:
        """Reset all metrics."""
    def get_config(self) -> Any:
        """Get configuration for serialization."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Create instance from configuration."""
    teacher: Any
    student: Any
    student_loss_weight: Any
    student_loss_tracker: Any
    distillation_loss_tracker: Any
    total_loss_tracker: Any
    distillation_losses: Any
    distillation_loss_weights: Any

class FeatureDistillation(tf.keras.distillation.DistillationLoss):
    """Feature distillation loss."""
    def __init__(
        self, loss: Any = 'mse', teacher_layer_name: Any = None, student_layer_name: Any = None,
    ) -> None: ...
    def validate_model_compatibility(self, teacher: Any, student: Any) -> Any:
        """Validate that teacher and student models are compatible for feature"""
    def validate_outputs(self, teacher_outputs: Any, student_outputs: Any) -> Any:
        """Validate that outputs are compatible for feature distillation."""
    def compute_loss(
        self, teacher_outputs: Any, student_outputs: Any, **kwargs: Any,
    ) -> Any:
        """Compute feature distillation loss using extracted features."""
    def get_config(self) -> Any:
        """Get configuration for serialization."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Create instance from configuration."""
    teacher_layer_name: Any
    student_layer_name: Any
    loss: Any

class LogitsDistillation(tf.keras.distillation.DistillationLoss):
    """Distillation loss that transfers knowledge from final model outputs."""
    def __init__(self, temperature: Any = 3.0, loss: Any = 'kl_divergence') -> None: ...
    def compute_loss(
        self, teacher_outputs: Any, student_outputs: Any, **kwargs: Any,
    ) -> Any:
        """Compute distillation loss using the configured loss function."""
    def get_config(self) -> Any:
        """Get configuration for serialization."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Create instance from configuration."""
    temperature: Any
    loss: Any
