# tf.config and kin, as programs call them on a machine with only a CPU.

# --- devices
print(tf.config.list_physical_devices(), tf.config.list_physical_devices("CPU"), tf.config.list_physical_devices("GPU"), tf.config.list_physical_devices(device_type="TPU"), tf.config.list_physical_devices("cpu"))
print(tf.config.list_logical_devices(), tf.config.list_logical_devices("GPU"), tf.config.get_visible_devices(), tf.config.get_visible_devices("GPU"))
print(tf.config.experimental.list_physical_devices("CPU"), tf.config.experimental.list_logical_devices("CPU"))

# --- device_objects
d = tf.config.list_physical_devices("CPU")[0]
print(d.name, d.device_type, d == tf.config.PhysicalDevice("/physical_device:CPU:0", "CPU"), tf.config.LogicalDevice("/device:CPU:0", "CPU"), len({d, d}), type(d).__name__)

# --- visible_devices
cpu = tf.config.list_physical_devices("CPU")
for call in (lambda: tf.config.set_visible_devices([], "GPU"), lambda: tf.config.set_visible_devices(cpu, "CPU"), lambda: tf.config.set_visible_devices(cpu[0], "CPU"), lambda: tf.config.set_visible_devices(["x"], "CPU"), lambda: tf.config.set_visible_devices(tf.config.PhysicalDevice("/physical_device:GPU:7", "GPU"), "GPU"), lambda: tf.config.set_visible_devices(cpu, "GPU")):
    print(outcome(call))

# --- memory
cpu = tf.config.list_physical_devices("CPU")[0]
for call in (lambda: tf.config.experimental.set_memory_growth(cpu, True), lambda: tf.config.experimental.get_memory_growth(cpu), lambda: tf.config.experimental.get_memory_info("CPU:0"), lambda: tf.config.experimental.get_memory_usage("CPU:0"), lambda: tf.config.experimental.reset_memory_stats("CPU:0"), lambda: tf.config.experimental.get_memory_info("GPU:0"), lambda: tf.config.experimental.set_memory_growth("x", True), lambda: tf.config.experimental.get_device_details(cpu), lambda: tf.config.experimental.get_memory_info("nonsense")):
    print(outcome(call))

# --- logical_configuration
cpu = tf.config.list_physical_devices("CPU")[0]
for call in (lambda: tf.config.get_logical_device_configuration(cpu), lambda: tf.config.LogicalDeviceConfiguration(), lambda: tf.config.LogicalDeviceConfiguration(memory_limit=10), lambda: tf.config.set_logical_device_configuration("x", []), lambda: tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration(memory_limit=100)]), lambda: tf.config.experimental.VirtualDeviceConfiguration is tf.config.LogicalDeviceConfiguration, lambda: tf.config.get_logical_device_configuration("x")):
    print(outcome(call))

# --- placement_and_threads
print(tf.config.get_soft_device_placement(), tf.config.threading.get_inter_op_parallelism_threads() >= 0, tf.config.threading.get_intra_op_parallelism_threads() >= 0)
print(outcome(lambda: tf.config.set_soft_device_placement(True)), tf.debugging.get_log_device_placement(), outcome(lambda: tf.debugging.set_log_device_placement(False)))

# --- run_functions_eagerly
print(tf.config.functions_run_eagerly())
tf.config.run_functions_eagerly(True)
print(tf.config.functions_run_eagerly())
tf.config.run_functions_eagerly(False)
print(tf.config.functions_run_eagerly(), tf.config.experimental_functions_run_eagerly())

# --- optimizer
print(repr(tf.config.optimizer.get_jit()), tf.config.optimizer.get_experimental_options())
for call in (lambda: tf.config.optimizer.set_jit(True), lambda: tf.config.optimizer.get_jit(), lambda: tf.config.optimizer.set_jit("autoclustering"), lambda: tf.config.optimizer.get_jit(), lambda: tf.config.optimizer.set_jit("nonsense"), lambda: tf.config.optimizer.set_jit(False), lambda: tf.config.optimizer.get_jit()):
    print(repr(outcome(call)))

# --- optimizer_options
tf.config.optimizer.set_experimental_options({"constant_folding": False})
print(tf.config.optimizer.get_experimental_options())
tf.config.optimizer.set_experimental_options({"constant_folding": True})
print(tf.config.optimizer.get_experimental_options(), outcome(lambda: tf.config.optimizer.set_experimental_options({"nonsense": True})), outcome(lambda: tf.config.optimizer.set_experimental_options(3)))

# --- tensor_float_32_and_synchronous
print(tf.config.experimental.tensor_float_32_execution_enabled(), tf.config.experimental.get_synchronous_execution(), outcome(lambda: tf.config.experimental.get_device_policy()))

# --- version
print(tf.__version__, tf.version.VERSION, tf.version.GRAPH_DEF_VERSION, type(tf.version.GIT_VERSION).__name__, type(tf.version.COMPILER_VERSION).__name__)

# --- build_info
info = tf.sysconfig.get_build_info()
print(sorted(info), info["is_cuda_build"], info["is_rocm_build"])

# --- logger
logger = tf.get_logger()
print(logger.name, type(logger).__name__, logger.propagate, logger is tf.get_logger())

# --- test_module
print(tf.test.is_gpu_available(), tf.test.is_built_with_cuda(), tf.test.is_built_with_rocm(), tf.test.is_built_with_gpu_support(), repr(tf.test.gpu_device_name()))

# --- compute_gradient
f = lambda x: tf.stack([x[0] * x[1], x[0] ** 2, tf.sin(x[1])])
theoretical, numerical = tf.test.compute_gradient(f, [np.array([1.0, 2.0])])
print(theoretical, [n.round(4) for n in numerical])

# --- compute_gradient_several
theoretical, numerical = tf.test.compute_gradient(lambda a, b: tf.reduce_sum(a) * b, [tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1.0, 2.0, 3.0])], delta=0.25)
print([(type(t).__name__, t.shape, t.dtype, n.shape, n.dtype) for t, n in zip(theoretical, numerical)], [np.allclose(t, n) for t, n in zip(theoretical, numerical)])

# --- compute_gradient_unconnected_and_integer
print(outcome(lambda: tf.test.compute_gradient(lambda a: tf.constant(2.0), [tf.constant(1.0)])), outcome(lambda: tf.test.compute_gradient(lambda a: a, [tf.constant(1)])), outcome(lambda: tf.test.compute_gradient(lambda a: a, tf.constant(1.0))), outcome(lambda: tf.test.compute_gradient(lambda a: (a, a), [tf.constant(1.0)])), outcome(lambda: tf.test.compute_gradient(lambda a: a * 2.0, [1.0])), outcome(lambda: tf.test.compute_gradient(lambda a: a, [])), outcome(lambda: tf.test.compute_gradient(lambda a: a * a, (tf.constant([1.0]),))))

# --- compute_gradient_complex
theoretical, numerical = tf.test.compute_gradient(lambda z: z * z, [tf.constant([1.0 + 2.0j])])
print(theoretical, [np.round(n, 3) for n in numerical])
