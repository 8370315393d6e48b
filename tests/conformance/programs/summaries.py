# tf.summary without TensorBoard's own summaries.

# --- write_and_read
import tempfile, glob
d = tempfile.mkdtemp()
writer = tf.summary.create_file_writer(d)
with writer.as_default():
    print(tf.summary.write("raw", tf.constant([1, 2]), step=5), tf.summary.should_record_summaries())
    tf.summary.experimental.set_step(7)
    print(tf.summary.experimental.get_step(), tf.summary.write("s", "text"))
    with tf.summary.record_if(False):
        print(tf.summary.write("no", 1.0), tf.summary.should_record_summaries())
    with tf.name_scope("outer"), tf.summary.experimental.summary_scope("name") as (tag, scope):
        print(tag, scope)
    tf.summary.experimental.set_step(None)
    print(outcome(tf.summary.write, "x", 1.0))
writer.close()
for event in tf.compat.v1.train.summary_iterator(glob.glob(d + "/*")[0]):
    event.wall_time = 0
    print(event)
print(tf.summary.should_record_summaries(), tf.summary.write("x", 1.0, step=1))

# --- in_function
import tempfile, glob
d = tempfile.mkdtemp()
writer = tf.summary.create_file_writer(d)
@tf.function
def step(x, n):
    with writer.as_default(), tf.summary.record_if(tf.equal(n % 2, 0)):
        tf.summary.write("loss", x * 2.0, step=n)
for i in range(3):
    step(tf.constant(float(i)), tf.constant(i, tf.int64))
writer.close()
for event in tf.compat.v1.train.summary_iterator(glob.glob(d + "/*")[0]):
    for value in event.summary.value:
        print(event.step, value.tag, tf.make_ndarray(value.tensor))

# --- closed_and_noop
import tempfile
w = tf.summary.create_file_writer(tempfile.mkdtemp())
w.close()
print(outcome(lambda: w.as_default().__enter__()))
with tf.summary.create_noop_writer().as_default(step=3):
    print(tf.summary.write("x", 1.0), tf.summary.experimental.get_step())

# --- writers_in_a_graph
import glob, tempfile
folder = tempfile.mkdtemp()
with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    writer = tf.summary.create_file_writer(folder)
    with writer.as_default(step=3):
        session.run(writer.init())
        written = tf.summary.write("tag", tf.constant(2.0) + 1.0)
        print(session.run(written), type(writer.flush()).__name__)
        session.run(writer.flush())
        session.run(writer.close())
(path,) = glob.glob(folder + "/*")
print([(event.step, [tf.make_ndarray(one.tensor) for one in event.summary.value]) for event in tf.compat.v1.train.summary_iterator(path)])

# --- names_of_session_summaries
v1 = tf.compat.v1
with tf.Graph().as_default() as graph:
    joined = tf.strings.join([tf.constant("abc", name="m"), tf.as_string(tf.constant(1.0), name="es")], name="em")
    made = [joined, v1.summary.text("message", joined), v1.summary.scalar("sc", tf.constant(1.0))]
    with tf.name_scope("outer"):
        made += [v1.summary.scalar("sc", tf.constant(1.0)), v1.summary.image("im", tf.zeros([1, 4, 4, 3])), v1.summary.histogram("h", tf.zeros([4])), v1.summary.tensor_summary("ts", tf.zeros([4])), v1.summary.text("tx", tf.constant("x"))]
    made += [v1.summary.scalar("sc", tf.constant(1.0)), v1.summary.scalar("fam", tf.constant(1.0), family="f")]
    print(made)
    merged = v1.summary.merge_all()
    print([one.name for one in graph.get_operations()])
    with v1.Session() as session:
        print([one.tag for one in v1.Summary.FromString(session.run(merged)).value])
