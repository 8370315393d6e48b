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
