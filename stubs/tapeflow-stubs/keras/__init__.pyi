# Written by tools/stubs.py (make stubs).
"""tf.keras: Keras 3.15.1"""

from typing import Any

import tapeflow as tf
from tapeflow.keras import (
    activations as activations,
    applications as applications,
    backend as backend,
    callbacks as callbacks,
    config as config,
    constraints as constraints,
    datasets as datasets,
    distillation as distillation,
    distribution as distribution,
    dtype_policies as dtype_policies,
    export as export,
    initializers as initializers,
    layers as layers,
    legacy as legacy,
    losses as losses,
    metrics as metrics,
    mixed_precision as mixed_precision,
    models as models,
    ops as ops,
    optimizers as optimizers,
    preprocessing as preprocessing,
    quantizers as quantizers,
    random as random,
    regularizers as regularizers,
    tree as tree,
    utils as utils,
    visualization as visualization,
    wrappers as wrappers,
)

def version() -> Any: ...

def device(device_name: Any) -> Any:
    """Context manager for backend-agnostic device placement."""

class DTypePolicy:
    """A dtype policy for a Keras layer."""
    def __init__(self, name: Any = None) -> None: ...
    @property
    def variable_dtype(self) -> Any:
        """The variable dtype of this policy."""
    @property
    def compute_dtype(self) -> Any:
        """The compute dtype of this policy."""
    @property
    def name(self) -> Any:
        """Returns the name of this policy."""
    @property
    def quantization_mode(self) -> Any:
        """The quantization mode of this policy."""
    def convert_input(self, x: Any, autocast: Any, dtype: Any) -> Any:
        """Converts the input dtype based on `autocast` and `dtype`."""
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]

class FloatDTypePolicy(tf.keras.DTypePolicy):
    ...

class Function(tf.keras.Operation):
    """Class that encapsulates a computation graph of Keras operations."""
    def __init__(self, inputs: Any, outputs: Any, name: Any = None) -> None: ...
    @property
    def operations(self) -> Any: ...
    @property
    def inputs(self) -> Any:
        """Flat list of the symbolic inputs of the Function."""
    @property
    def outputs(self) -> Any:
        """Flat list of the symbolic outputs of the Function."""
    def compute_output_spec(self, inputs: Any) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    def call(self, inputs: Any) -> Any:
        """Computes output tensors for new inputs."""
    nnx_operations: Any

class Initializer:
    """Initializer base class: all Keras initializers inherit from this class."""
    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        """Returns a tensor object initialized as specified by the initializer."""
    def get_config(self) -> Any:
        """Returns the initializer's configuration as a JSON-serializable dict."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Instantiates an initializer from a configuration dictionary."""
    def clone(self) -> Any: ...

def Input(
    shape: Any = None, batch_size: Any = None, dtype: Any = None, sparse: Any = None,
    ragged: Any = None, batch_shape: Any = None, name: Any = None, tensor: Any = None,
    optional: Any = False,
) -> Any:
    """Used to instantiate a Keras tensor."""

class InputSpec:
    """Specifies the rank, dtype and shape of every input to a layer."""
    def __init__(
        self, dtype: Any = None, shape: Any = None, ndim: Any = None, max_ndim: Any = None,
        min_ndim: Any = None, axes: Any = None, allow_last_axis_squeeze: Any = False,
        name: Any = None, optional: Any = False,
    ) -> None: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    dtype: Any
    max_ndim: Any
    min_ndim: Any
    name: Any
    optional: Any
    allow_last_axis_squeeze: Any
    shape: Any
    ndim: Any
    axes: Any

class KerasTensor:
    """Symbolic tensor -- encapsulates a shape and a dtype."""
    def __init__(
        self, shape: Any, dtype: Any = 'float32', sparse: Any = False, ragged: Any = False,
        record_history: Any = True, name: Any = None, **kwargs: Any,
    ) -> None: ...
    @property
    def shape(self) -> Any: ...
    @shape.setter
    def shape(self, value: Any) -> None: ...
    @property
    def dtype(self) -> Any: ...
    @dtype.setter
    def dtype(self, value: Any) -> None: ...
    @property
    def sparse(self) -> Any: ...
    @sparse.setter
    def sparse(self, value: Any) -> None: ...
    @property
    def ragged_rank(self) -> Any: ...
    @ragged_rank.setter
    def ragged_rank(self, value: Any) -> None: ...
    @property
    def row_splits_dtype(self) -> Any: ...
    @row_splits_dtype.setter
    def row_splits_dtype(self, value: Any) -> None: ...
    @property
    def ragged(self) -> Any: ...
    @ragged.setter
    def ragged(self, value: Any) -> None: ...
    @property
    def ndim(self) -> Any: ...
    def reshape(self, newshape: Any) -> Any: ...
    def squeeze(self, axis: Any = None) -> Any: ...
    def __int__(self) -> Any: ...
    def __float__(self) -> Any: ...
    def __array__(self) -> Any: ...
    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any: ...
    def __iter__(self) -> Any: ...
    def __bool__(self) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __matmul__(self, other: Any) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __neg__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __pow__(self, other: Any) -> Any: ...
    def __rpow__(self, other: Any) -> Any: ...
    def __floordiv__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Any: ...
    def __mod__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __lt__(self, other: Any) -> Any: ...
    def __le__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
    def __ge__(self, other: Any) -> Any: ...
    def __ne__(self, other: object) -> Any: ...  # type: ignore[override]
    def __and__(self, other: Any) -> Any: ...
    def __rand__(self, other: Any) -> Any: ...
    def __or__(self, other: Any) -> Any: ...
    def __ror__(self, other: Any) -> Any: ...
    def __invert__(self) -> Any: ...
    def __xor__(self, other: Any) -> Any: ...
    def __rxor__(self, other: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __round__(self, other: Any) -> Any: ...
    name: Any
    record_history: Any

class Layer(tf.keras.Operation):
    """This is the class from which all layers inherit."""
    def __init__(
        self, *, activity_regularizer: Any = None, trainable: Any = True, dtype: Any = None,
        autocast: Any = True, name: Any = None, **kwargs: Any,
    ) -> None: ...
    @property
    def path(self) -> Any:
        """The path of the layer."""
    @property
    def input_spec(self) -> Any: ...
    @input_spec.setter
    def input_spec(self, value: Any) -> None: ...
    def build(self, input_shape: Any) -> Any: ...
    def get_build_config(self) -> Any:
        """Returns a dictionary with the layer's input shape."""
    def build_from_config(self, config: Any) -> Any:
        """Builds the layer's states with the supplied config dict."""
    def add_variable(
        self, shape: Any, initializer: Any, dtype: Any = None, trainable: Any = True,
        autocast: Any = True, regularizer: Any = None, constraint: Any = None, name: Any = None,
    ) -> Any:
        """Add a weight variable to the layer."""
    def add_weight(
        self, *args: Any, shape: Any = None, initializer: Any = None, dtype: Any = None,
        trainable: Any = True, autocast: Any = True, regularizer: Any = None,
        constraint: Any = None, aggregation: Any = 'none', overwrite_with_gradient: Any = False,
        name: Any = None,
    ) -> Any:
        """Add a weight variable to the layer."""
    @property
    def trainable(self) -> Any:
        """Settable boolean, whether this layer should be trainable or not."""
    @trainable.setter
    def trainable(self, value: Any) -> None: ...
    @property
    def variables(self) -> Any:
        """List of all layer state, including random seeds."""
    @property
    def trainable_variables(self) -> Any:
        """List of all trainable layer state."""
    @property
    def non_trainable_variables(self) -> Any:
        """List of all non-trainable layer state."""
    @property
    def weights(self) -> Any:
        """List of all weight variables of the layer."""
    @property
    def trainable_weights(self) -> Any:
        """List of all trainable weight variables of the layer."""
    @property
    def non_trainable_weights(self) -> Any:
        """List of all non-trainable weight variables of the layer."""
    @property
    def metrics(self) -> Any:
        """List of all metrics."""
    @property
    def metrics_variables(self) -> Any:
        """List of all metric variables."""
    def get_weights(self) -> Any:
        """Return the values of `layer.weights` as a list of NumPy arrays."""
    def set_weights(self, weights: Any) -> Any:
        """Sets the values of `layer.weights` from a list of NumPy arrays."""
    @property
    def dtype_policy(self) -> Any: ...
    @dtype_policy.setter
    def dtype_policy(self, value: Any) -> None: ...
    @property
    def dtype(self) -> Any:
        """Alias of `layer.variable_dtype`."""
    @property
    def compute_dtype(self) -> Any:
        """The dtype of the computations performed by the layer."""
    @property
    def variable_dtype(self) -> Any:
        """The dtype of the state (weights) of the layer."""
    @property
    def quantization_mode(self) -> Any:
        """The quantization mode of this layer, `None` if not quantized."""
    @property
    def input_dtype(self) -> Any:
        """The dtype layer inputs should be converted to."""
    @property
    def supports_masking(self) -> Any:
        """Whether this layer supports computing a mask using `compute_mask`."""
    @supports_masking.setter
    def supports_masking(self, value: Any) -> None: ...
    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any: ...
    def symbolic_call(self, *args: Any, **kwargs: Any) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def call(self, *args: Any, **kwargs: Any) -> Any: ...
    def stateless_call(
        self, trainable_variables: Any, non_trainable_variables: Any, *args: Any,
        return_losses: Any = False, **kwargs: Any,
    ) -> Any:
        """Call the layer without any side effects."""
    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any: ...
    def compute_output_shape(self, *args: Any, **kwargs: Any) -> Any: ...
    def add_loss(self, loss: Any) -> Any:
        """Can be called inside of the `call()` method to add a scalar loss."""
    @property
    def losses(self) -> Any:
        """List of scalar losses from `add_loss`, regularizers and sublayers."""
    def quantized_build(self, input_shape: Any, mode: Any) -> Any: ...
    def quantize(self, mode: Any = None, type_check: Any = True, config: Any = None) -> Any: ...
    def quantized_call(self, *args: Any, **kwargs: Any) -> Any: ...
    def save_own_variables(self, store: Any) -> Any:
        """Saves the state of the layer."""
    def load_own_variables(self, store: Any) -> Any:
        """Loads the state of the layer."""
    def add_metric(self, *args: Any, **kwargs: Any) -> Any: ...
    def count_params(self) -> Any:
        """Count the total number of scalars composing the weights."""
    def get_config(self) -> Any: ...
    def rematerialized_call(self, layer_call: Any, *args: Any, **kwargs: Any) -> Any:
        """Enable rematerialization dynamically for layer's call method."""
    activity_regularizer: Any
    built: Any
    autocast: Any
    supports_jit: Any
    call_signature_parameters: Any
    activation: Any
    train_function: Any
    test_function: Any
    predict_function: Any

class Loss:
    """Loss base class."""
    def __init__(
        self, name: Any = None, reduction: Any = 'sum_over_batch_size', dtype: Any = None,
    ) -> None: ...
    @property
    def dtype(self) -> Any: ...
    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any: ...
    def call(self, y_true: Any, y_pred: Any) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    name: Any
    reduction: Any

class Metric:
    """Encapsulates metric logic and state."""
    def __init__(self, dtype: Any = None, name: Any = None) -> None: ...
    def reset_state(self) -> Any:
        """Reset all of the metric state variables."""
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Accumulate statistics for the metric."""
    def stateless_update_state(
        self, metric_variables: Any, *args: Any, **kwargs: Any,
    ) -> Any: ...
    def result(self) -> Any:
        """Compute the current metric value."""
    def stateless_result(self, metric_variables: Any) -> Any: ...
    def stateless_reset_state(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    def add_variable(
        self, shape: Any, initializer: Any, dtype: Any = None, aggregation: Any = 'sum',
        name: Any = None,
    ) -> Any: ...
    def add_weight(
        self, shape: Any = ..., initializer: Any = None, dtype: Any = None, name: Any = None,
    ) -> Any: ...
    @property
    def variables(self) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_config(self) -> Any:
        """Return the serializable config of the metric."""
    @classmethod
    def from_config(cls, config: Any) -> Any: ...
    name: Any

class Model(tf.keras.Layer):
    """A model grouping layers into an object with training/inference features."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def call(self, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def layers(self) -> Any: ...
    @layers.setter
    def layers(self, value: Any) -> None: ...
    def get_layer(self, name: Any = None, index: Any = None) -> Any:
        """Retrieves a layer based on either its name (unique) or index."""
    def summary(
        self, line_length: Any = None, positions: Any = None, print_fn: Any = None,
        expand_nested: Any = False, show_trainable: Any = False, layer_range: Any = None,
    ) -> Any:
        """Prints a string summary of the network."""
    def save(
        self, filepath: Any, overwrite: Any = True, zipped: Any = None, **kwargs: Any,
    ) -> Any:
        """Saves a model as a `.keras` file."""
    def save_weights(
        self, filepath: Any, overwrite: Any = True, max_shard_size: Any = None,
    ) -> Any:
        """Saves all weights to a single file or sharded files."""
    def load_weights(self, filepath: Any, skip_mismatch: Any = False, **kwargs: Any) -> Any:
        """Load the weights from a single file or sharded files."""
    def get_quantization_layer_structure(self, mode: Any = None) -> Any:
        """Returns the quantization structure for the model."""
    def quantize(
        self, mode: Any = None, config: Any = None, filters: Any = None, **kwargs: Any,
    ) -> Any:
        """Quantize the weights of the model."""
    def build_from_config(self, config: Any) -> Any: ...
    def to_json(self, **kwargs: Any) -> Any:
        """Returns a JSON string containing the network configuration."""
    def export(
        self, filepath: Any, format: Any = 'tf_saved_model', verbose: Any = None,
        input_signature: Any = None, **kwargs: Any,
    ) -> Any:
        """Export the model as an artifact for inference."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    def get_state_tree(self, value_format: Any = 'backend_tensor') -> Any:
        """Retrieves tree-like structure of model variables."""
    def set_state_tree(self, state_tree: Any) -> Any:
        """Assigns values to variables of the model."""
    @property
    def distribute_strategy(self) -> Any: ...
    @property
    def distribute_reduction_method(self) -> Any: ...
    @distribute_reduction_method.setter
    def distribute_reduction_method(self, value: Any) -> None: ...
    def train_step(self, data: Any) -> Any: ...
    def test_step(self, data: Any) -> Any: ...
    def predict_step(self, data: Any) -> Any: ...
    def make_train_function(self, force: Any = False) -> Any: ...
    def make_test_function(self, force: Any = False) -> Any: ...
    def make_predict_function(self, force: Any = False) -> Any: ...
    def fit(
        self, x: Any = None, y: Any = None, batch_size: Any = None, epochs: Any = 1,
        verbose: Any = 'auto', callbacks: Any = None, validation_split: Any = 0.0,
        validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
        sample_weight: Any = None, initial_epoch: Any = 0, steps_per_epoch: Any = None,
        validation_steps: Any = None, validation_batch_size: Any = None, validation_freq: Any = 1,
    ) -> Any: ...
    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: Any = None, verbose: Any = 'auto',
        sample_weight: Any = None, steps: Any = None, callbacks: Any = None,
        return_dict: Any = False, **kwargs: Any,
    ) -> Any: ...
    def predict(
        self, x: Any, batch_size: Any = None, verbose: Any = 'auto', steps: Any = None,
        callbacks: Any = None,
    ) -> Any: ...
    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
        return_dict: Any = False,
    ) -> Any: ...
    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: Any = False,
    ) -> Any: ...
    def predict_on_batch(self, x: Any) -> Any: ...
    @property
    def compiled_metrics(self) -> Any: ...
    def compiled_loss(
        self, y: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None,
    ) -> Any: ...
    def loss(self, y: Any, y_pred: Any, sample_weight: Any = None) -> Any: ...
    def compile(
        self, optimizer: Any = 'rmsprop', loss: Any = None, loss_weights: Any = None,
        metrics: Any = None, weighted_metrics: Any = None, run_eagerly: Any = False,
        steps_per_execution: Any = 1, jit_compile: Any = 'auto', auto_scale_loss: Any = True,
    ) -> Any:
        """Configures the model for training."""
    @property
    def jit_compile(self) -> Any: ...
    @jit_compile.setter
    def jit_compile(self, value: Any) -> None: ...
    @property
    def run_eagerly(self) -> Any: ...
    @run_eagerly.setter
    def run_eagerly(self, value: Any) -> None: ...
    @property
    def metrics(self) -> Any: ...
    @property
    def metrics_names(self) -> Any: ...
    def reset_metrics(self) -> Any: ...
    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None,
        training: Any = True,
    ) -> Any:
        """Compute the total loss, validate it, and return it."""
    def stateless_compute_loss(
        self, trainable_variables: Any, non_trainable_variables: Any, metrics_variables: Any,
        x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None,
        training: Any = True,
    ) -> Any: ...
    def compute_metrics(
        self, x: Any, y: Any, y_pred: Any, sample_weight: Any = None,
    ) -> Any:
        """Update metric states and collect all metrics to be returned."""
    def get_metrics_result(self) -> Any:
        """Returns the model's metrics values as a dict."""
    def get_compile_config(self) -> Any:
        """Returns a serialized config with information for compiling the model."""
    def compile_from_config(self, config: Any) -> Any:
        """Compiles the model with the information given in config."""
    train_function: Any
    test_function: Any
    predict_function: Any
    unrolled_steps_per_execution: Any
    stop_training: Any
    stop_evaluating: Any
    stop_predicting: Any
    compiled: Any
    steps_per_execution: Any
    optimizer: Any

class name_scope:
    def __init__(self, name: Any, **kwargs: Any) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *args: Any, **kwargs: Any) -> Any: ...
    name: Any
    caller: Any
    deduplicate: Any
    override_parent: Any

class Operation:
    def __init__(self, name: Any = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def symbolic_call(self, *args: Any, **kwargs: Any) -> Any: ...
    def call(self, *args: Any, **kwargs: Any) -> Any: ...
    def quantized_call(self, *args: Any, **kwargs: Any) -> Any: ...
    def rematerialized_call(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Enable rematerialization dynamically for an operation's call method."""
    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any: ...
    def get_config(self) -> Any:
        """Returns the config of the object."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Creates an operation from its config."""
    @property
    def input(self) -> Any:
        """Retrieves the input tensor(s) of a symbolic operation."""
    @property
    def output(self) -> Any:
        """Retrieves the output tensor(s) of a layer."""
    name: Any

class Optimizer:
    """Abstract optimizer base class."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
    def add_variable_from_reference(
        self, reference_variable: Any, name: Any = None, initializer: Any = 'zeros',
    ) -> Any: ...
    def stateless_apply(
        self, optimizer_variables: Any, grads: Any, trainable_variables: Any,
    ) -> Any: ...
    def assign(self, variable: Any, value: Any) -> Any: ...
    def assign_add(self, variable: Any, value: Any) -> Any: ...
    def assign_sub(self, variable: Any, value: Any) -> Any: ...
    @property
    def iterations(self) -> Any: ...
    def build(self, variables: Any) -> Any: ...
    @property
    def variables(self) -> Any: ...
    def add_variable(
        self, shape: Any, initializer: Any = 'zeros', dtype: Any = None, aggregation: Any = 'none',
        layout: Any = None, name: Any = None,
    ) -> Any:
        """Add a variable to the optimizer."""
    def add_optimizer_variables(
        self, trainable_variables: Any, name: Any, initializer: Any = 'zeros',
    ) -> Any:
        """Add optimizer variables from the list of trainable model variables."""
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> Any: ...
    def apply_gradients(self, grads_and_vars: Any) -> Any: ...
    def apply(self, grads: Any, trainable_variables: Any = None) -> Any:
        """Update traininable variables according to provided gradient values."""
    def scale_loss(self, loss: Any) -> Any:
        """Scale the loss before computing gradients."""
    @property
    def learning_rate(self) -> Any: ...
    @learning_rate.setter
    def learning_rate(self, value: Any) -> None: ...
    def set_weights(self, weights: Any) -> Any:
        """Set the weights of the optimizer."""
    def save_own_variables(self, store: Any) -> Any:
        """Get the state of this optimizer object."""
    def load_own_variables(self, store: Any) -> Any:
        """Set the state of this optimizer object."""
    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> Any:
        """Exclude variables from weight decay."""
    def finalize_variable_values(self, var_list: Any) -> Any:
        """Set the final value of model's trainable variables."""
    def get_config(self) -> Any:
        """Returns the config of the optimizer."""
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """Creates an optimizer from its config."""
    name: Any
    weight_decay: Any
    clipnorm: Any
    global_clipnorm: Any
    clipvalue: Any
    use_ema: Any
    loss_scale_factor: Any
    gradient_accumulation_steps: Any
    ema_momentum: Any
    ema_overwrite_frequency: Any
    built: Any

class Quantizer:
    def __init__(self, output_dtype: Any = 'int8') -> None: ...
    def __call__(self, x: Any) -> Any:
        """Compute a quantized output from an input tensor."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Creates a quantizer from its config."""
    def get_config(self) -> Any:
        """Returns the config of the quantizer."""
    output_dtype: Any

class Regularizer:
    """Regularizer base class."""
    def __call__(self, x: Any) -> Any:
        """Compute a regularization penalty from an input tensor."""
    @classmethod
    def from_config(cls, config: Any) -> Any:
        """Creates a regularizer from its config."""
    def get_config(self) -> Any:
        """Returns the config of the regularizer."""

def remat(f: Any) -> Any:
    """Applies rematerialization to a function or layer for memory optimization."""

class RematScope:
    """A context manager for enabling rematerialization in Keras."""
    def __init__(
        self, mode: Any = 'full', output_size_threshold: Any = 1024, layer_names: Any = None,
    ) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *args: Any, **kwargs: Any) -> Any: ...
    mode: Any
    output_size_threshold: Any
    layer_names: Any

class Sequential(tf.keras.Model):
    """`Sequential` groups a linear stack of layers into a `Model`."""
    def __init__(self, layers: Any = None, trainable: Any = True, name: Any = None) -> None: ...
    def add(self, layer: Any, rebuild: Any = True) -> Any:
        """Adds a layer instance on top of the layer stack."""
    def pop(self, rebuild: Any = True) -> Any:
        """Removes the last layer in the model."""
    def build(self, input_shape: Any = None) -> Any: ...
    def call(
        self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any,
    ) -> Any: ...
    @property
    def layers(self) -> Any: ...
    @layers.setter
    def layers(self, value: Any) -> None: ...
    def compute_output_spec(
        self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any,
    ) -> Any: ...
    def compute_output_shape(self, input_shape: Any) -> Any: ...
    @property
    def input_shape(self) -> Any: ...
    @property
    def output_shape(self) -> Any: ...
    @property
    def inputs(self) -> Any: ...
    @property
    def outputs(self) -> Any: ...
    @property
    def input_dtype(self) -> Any: ...
    def get_config(self) -> Any: ...
    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any: ...
    built: Any

class StatelessScope:
    """Scope to prevent any update to Keras Variables."""
    def __init__(
        self, state_mapping: Any = None, collect_losses: Any = False,
        initialize_variables: Any = True,
    ) -> None: ...
    def __enter__(self) -> Any: ...
    def add_loss(self, loss: Any) -> Any: ...
    def add_update(self, update: Any) -> Any: ...
    def get_current_value(self, variable: Any) -> Any: ...
    def __exit__(self, *args: Any, **kwargs: Any) -> Any: ...
    collect_losses: Any
    initialize_variables: Any
    losses: Any
    state_mapping: Any
    original_scope: Any

class SymbolicScope:
    """Scope to indicate the symbolic stage."""
    def __enter__(self) -> Any: ...
    def __exit__(self, *args: Any, **kwargs: Any) -> Any: ...
    original_scope: Any

class Variable:
    @property
    def handle(self) -> Any: ...
    def numpy(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any: ...
    def __init__(
        self, initializer: Any, shape: Any = None, dtype: Any = None, trainable: Any = True,
        autocast: Any = True, aggregation: Any = 'none', synchronization: Any = 'auto',
        name: Any = None, layout: Any = None, **kwargs: Any,
    ) -> None: ...
    @property
    def aggregation(self) -> Any:
        """The strategy for aggregating this variable."""
    @property
    def synchronization(self) -> Any:
        """The strategy for synchronizing this variable."""
    @property
    def value(self) -> Any:
        """The current value of the variable (numpy array or backend tensor)."""
    def assign(self, value: Any) -> tf.Variable: ...
    def assign_add(self, value: Any) -> tf.Variable: ...
    def assign_sub(self, value: Any) -> tf.Variable: ...
    @property
    def dtype(self) -> Any:
        """The data type of the variable."""
    @property
    def ndim(self) -> Any:
        """The number of dimensions of the variable."""
    @property
    def trainable(self) -> Any:
        """Whether the variable is trainable."""
    @trainable.setter
    def trainable(self, value: Any) -> None: ...
    @property
    def name(self) -> Any:
        """The name of the variable."""
    @property
    def path(self) -> Any:
        """The path of the variable within the Keras model or layer."""
    @property
    def overwrite_with_gradient(self) -> Any:
        """Whether this variable should be overwritten by the gradient."""
    @overwrite_with_gradient.setter
    def overwrite_with_gradient(self, value: Any) -> None: ...
    @property
    def regularizer(self) -> Any: ...
    @regularizer.setter
    def regularizer(self, value: Any) -> None: ...
    @property
    def constraint(self) -> Any: ...
    @constraint.setter
    def constraint(self, value: Any) -> None: ...
    def __getitem__(self, idx: Any) -> Any: ...
    def __int__(self) -> Any: ...
    def __float__(self) -> Any: ...
    def __array__(self, dtype: Any = None) -> Any: ...
    def __bool__(self) -> Any: ...
    def __neg__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __invert__(self) -> Any: ...
    def __eq__(self, other: object) -> Any: ...  # type: ignore[override]
    def __ne__(self, other: object) -> Any: ...  # type: ignore[override]
    def __lt__(self, other: Any) -> Any: ...
    def __le__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
    def __ge__(self, other: Any) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __floordiv__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Any: ...
    def __mod__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __pow__(self, other: Any) -> Any: ...
    def __rpow__(self, other: Any) -> Any: ...
    def __matmul__(self, other: Any) -> Any: ...
    def __rmatmul__(self, other: Any) -> Any: ...
    def __and__(self, other: Any) -> Any: ...
    def __rand__(self, other: Any) -> Any: ...
    def __or__(self, other: Any) -> Any: ...
    def __ror__(self, other: Any) -> Any: ...
    def __xor__(self, other: Any) -> Any: ...
    def __rxor__(self, other: Any) -> Any: ...
    def __round__(self, other: Any) -> Any: ...
