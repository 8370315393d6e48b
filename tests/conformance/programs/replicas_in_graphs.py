# --- variables_of_a_strategy_in_a_graph
# alone
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
for strategy in (tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]),
                 tf.distribute.OneDeviceStrategy("CPU:0")):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session, strategy.scope():
        v = tf.Variable([1.0, 2.0], name="v")
        w = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ,
                        aggregation=tf.VariableAggregation.SUM, name="w")
        print(v.dtype, v.shape, v.name, type(v).__name__)

        def replica():
            index = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group,
                            tf.float32)
            with tf.control_dependencies([w.assign_add(index + 1.0)]):
                return v * 2.0 + index

        results = strategy.experimental_local_results(strategy.run(replica))
        session.run(tf.compat.v1.global_variables_initializer())
        print(session.run(results))
        print(session.run([v, w]))
        written = strategy.experimental_local_results(v.assign([4.0, 5.0]))
        print(session.run(written))
        print(session.run(strategy.experimental_local_results(v)))
        session.run(v.initializer)
        print(session.run(v))
# --- elements_that_are_tuples_of_one
# alone
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
pair = (np.ones((4, 2), np.float32), np.zeros((4, 2), np.float32))
for element in ((pair,), pair, (pair[0],), {"a": pair[0]}, pair[0]):
    dataset = tf.data.Dataset.from_tensor_slices(element).batch(4)
    found = next(iter(strategy.experimental_distribute_dataset(dataset)))
    print(tf.nest.map_structure(lambda one: type(one).__name__, found))

    def replica(data):
        print("in a replica:", tf.nest.map_structure(lambda one: one.shape.as_list(), data))
        return tf.add_n([tf.reduce_sum(one) for one in tf.nest.flatten(data)])

    print(strategy.reduce("SUM", strategy.run(replica, args=(found,)), axis=None).numpy())
# --- updates_beside_a_variable
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    traced = []

    @tf.function
    def add(variable, amount):
        traced.append(variable.name)
        variable.assign_add(amount)

    strategy = tf.distribute.get_strategy()
    one, other = tf.Variable([1.0], name="one"), tf.Variable([2.0], name="other")

    def update(variable, amount):
        with tf.control_dependencies([]):
            add(variable, amount)
        return tf.compat.v1.get_default_graph().get_operations()[-1]

    steps = []
    for variable in (one, other):
        with strategy.extended.colocate_vars_with(variable):
            steps.append(strategy.extended.update(variable, update, args=(tf.constant([3.0]),)))
    session.run(tf.compat.v1.global_variables_initializer())
    session.run(steps)
    print(session.run([one, other]), traced)
