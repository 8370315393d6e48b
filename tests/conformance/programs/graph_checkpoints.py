# --- checkpoint_of_a_graph
import os
import tempfile

folder = tempfile.mkdtemp()
with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
    v, t = tf.Variable([1.0, 2.0], name="v"), tf.Variable("ab")
    checkpoint = tf.train.Checkpoint(v=v, t=t)
    session.run(tf.compat.v1.global_variables_initializer())
    session.run(v.assign([5.0, 6.0]))
    path = checkpoint.save(os.path.join(folder, "x"))
    count = len(graph.get_operations())
    print(os.path.basename(path), os.path.basename(checkpoint.save(os.path.join(folder, "x"))))
    print("further operations:", len(graph.get_operations()) - count)
    print(os.path.basename(checkpoint.write(os.path.join(folder, "w"))))
    session.run(v.assign([7.0, 8.0]))
    status = checkpoint.restore(path)
    print(session.run(v))
    status.assert_consumed().run_restore_ops()
    print(session.run([v, t, checkpoint.save_counter]))
eager = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0]))
eager.restore(tf.train.latest_checkpoint(folder)).expect_partial()
print(eager.v.numpy())
# --- restored_before_variables_are_made
import os
import tempfile

prefix = os.path.join(tempfile.mkdtemp(), "x")
path = tf.train.Checkpoint(v=tf.Variable([5.0, 6.0])).write(prefix)
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.read(path)
    checkpoint.v, checkpoint.u = tf.Variable([0.0, 0.0]), tf.Variable(3.0)
    status.initialize_or_restore()
    print(session.run([checkpoint.v, checkpoint.u]))
    print(outcome(status.assert_consumed))
    tf.train.Checkpoint(v=checkpoint.v).restore(None).initialize_or_restore()
    print(session.run(checkpoint.v))
    print(outcome(checkpoint.restore(None).run_restore_ops))
# --- checkpoint_of_a_graph_without_session
import os
import tempfile

with tf.Graph().as_default():
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    try:
        checkpoint.write(os.path.join(tempfile.mkdtemp(), "x"))
    except Exception:
        print("needs a session")
# --- streaming_restore
import os
import tempfile

path = tf.train.Checkpoint(v=tf.Variable(5.0), w=tf.Variable(6.0)).write(
    os.path.join(tempfile.mkdtemp(), "x"))
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0))
    status = checkpoint.read(path)
    tf.__internal__.tracking.streaming_restore(status=status, session=session)
    print(session.run(checkpoint.v))
    checkpoint.w = tf.Variable(0.0)
    print(session.run(checkpoint.w))
# --- slots_of_optimizers
import os
import tempfile

v1 = tf.compat.v1.train
for make in (lambda: v1.AdamOptimizer(0.1), lambda: v1.MomentumOptimizer(0.1, 0.9),
             lambda: v1.AdagradOptimizer(0.1)):
    path = os.path.join(tempfile.mkdtemp(), "x")
    v, optimizer = tf.Variable([1.0, 2.0], name="v"), make()
    step = lambda: optimizer.minimize(lambda: tf.reduce_sum(v * v), var_list=[v])
    step()
    step()
    checkpoint = tf.train.Checkpoint(v=v, optimizer=optimizer)
    checkpoint.write(path)
    print(sorted(name for name, _ in tf.train.list_variables(path)))
    step()
    wanted = v.numpy()
    checkpoint.read(path).assert_consumed()
    step()
    print(v.numpy(), (v.numpy() == wanted).all())
    other, later = tf.Variable([0.0, 0.0]), make()
    status = tf.train.Checkpoint(v=other, optimizer=later).read(path)
    later.minimize(lambda: tf.reduce_sum(other * other), var_list=[other])
    print((other.numpy() == wanted).all(), status.assert_consumed() is status)
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        inside, third = tf.Variable([0.0, 0.0]), make()
        update = third.minimize(inside * inside, var_list=[inside])
        tf.train.Checkpoint(v=inside, optimizer=third).read(path).assert_consumed(
            ).run_restore_ops()
        session.run(update)
        print((session.run(inside) == wanted).all())
# --- lists_that_grow_after_a_restore
import os
import tempfile

path = os.path.join(tempfile.mkdtemp(), "x")
saved = tf.Module()
saved.parts = [tf.Variable(1.0), tf.Variable(2.0)]
tf.train.Checkpoint(root=saved).write(path)
again = tf.Module()
status = tf.train.Checkpoint(root=again).read(path)
again.parts = []
again.parts.append(tf.Variable(0.0))
print(again.parts[0].numpy())
again.parts.extend([tf.Variable(0.0)])
print([one.numpy() for one in again.parts], isinstance(again.parts, list))
status.assert_consumed()
# --- files_that_are_no_checkpoints
import os
import tempfile

folder = tempfile.mkdtemp()
with open(os.path.join(folder, "file"), "w") as file:
    file.write("text")
checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
checkpoint.write(os.path.join(folder, "inner/"))
print(sorted(os.listdir(os.path.join(folder, "inner"))))
for name in ("", "inner/", "file", "absent"):
    path = os.path.join(folder, name)
    for read in (tf.compat.v1.train.NewCheckpointReader, checkpoint.read):
        try:
            read(path)
            print(repr(name), "read")
        except tf.errors.OpError as error:
            print(repr(name), type(error).__name__,
                  error.message.replace(folder, "FOLDER").partition(":")[0])
# --- saved_model_of_a_graph
import tempfile

folder = tempfile.mkdtemp()
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    module = tf.Module()
    module.v = tf.Variable([1.0, 2.0])
    module.f = tf.function(lambda x: x * module.v, input_signature=[tf.TensorSpec([2])])
    session.run(tf.compat.v1.global_variables_initializer())
    session.run(module.v.assign([3.0, 4.0]))
    tf.saved_model.save(module, folder)
loaded = tf.saved_model.load(folder)
print(loaded.v.numpy(), loaded.f([1.0, 2.0]).numpy())
# --- variables_of_an_optimizer
optimizer = tf.compat.v1.train.AdamOptimizer(0.1)
v, w = tf.Variable([1.0], name="v"), tf.Variable([[2.0]], name="a")
optimizer.minimize(lambda: tf.reduce_sum(v * w), var_list=[v, w])
print([one.name.partition("/")[0] for one in optimizer.variables()])
print([one.name for one in optimizer._get_beta_accumulators()])
