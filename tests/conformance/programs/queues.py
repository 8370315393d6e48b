"""Queues of tensors."""

# --- first_in_first_out
q = tf.queue.FIFOQueue(4, [tf.float32], shapes=[[]])
q.enqueue(1.0)
q.enqueue_many([[2.0, 3.0]])
print(q.size().numpy(), q.dequeue().numpy(), q.dequeue_many(2).numpy(), q.size().numpy())
q.enqueue(5.0)
q.close()
print(q.is_closed().numpy(), outcome(q.enqueue, 1.0), q.dequeue_up_to(3).numpy())
print(outcome(q.dequeue))

# --- several_components
q = tf.queue.FIFOQueue(5, [tf.int32, tf.string], shapes=[[2], []], names=["a", "b"])
q.enqueue({"a": [1, 2], "b": "x"})
q.enqueue({"a": [3, 4], "b": "y"})
got = q.dequeue_many(2)
print(sorted(got), got["a"].numpy().tolist(), got["b"].numpy().tolist())
q = tf.queue.FIFOQueue(5, [tf.int32, tf.int32])
q.enqueue((1, [2, 3]))
print([x.numpy().tolist() for x in q.dequeue()], outcome(q.enqueue, (1,)))

# --- padding
q = tf.queue.PaddingFIFOQueue(5, [tf.int32], shapes=[[None]])
q.enqueue([[1, 2, 3]])
q.enqueue([[4]])
print(q.dequeue_many(2).numpy().tolist())

# --- priorities
q = tf.queue.PriorityQueue(5, [tf.string], shapes=[[]])
for p, word in ((3, "c"), (1, "a"), (2, "b")):
    q.enqueue((p, word))
print([[x.numpy() for x in q.dequeue()] for _ in range(3)])

# --- random_order
q = tf.queue.RandomShuffleQueue(10, 0, [tf.int32], shapes=[[]], seed=1)
q.enqueue_many([list(range(6))])
print(sorted(int(q.dequeue()) for _ in range(6)), q.size().numpy())

# --- threads
import threading
q = tf.queue.FIFOQueue(2, [tf.int32], shapes=[[]])
def fill():
    for i in range(6):
        q.enqueue(i)
    q.close()
t = threading.Thread(target=fill)
t.start()
print([int(q.dequeue()) for _ in range(6)])
t.join()
