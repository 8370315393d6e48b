# Candidate samplers and the losses that use them.

# --- samplers
t = tf.constant([[1, 2], [3, 4], [0, 7]], tf.int64)
tf.random.set_seed(7)
for unique in (True, False):
    print(tf.random.log_uniform_candidate_sampler(t, 2, 5, unique, 50))
    print(tf.random.uniform_candidate_sampler(t, 2, 5, unique, 50))
    print(tf.random.fixed_unigram_candidate_sampler(t, 2, 5, unique, 8, unigrams=[1.0, 2, 3, 4, 5, 6, 7, 8]))
    print(tf.random.fixed_unigram_candidate_sampler(t, 2, 3, unique, 8, unigrams=[1.0, 2, 3, 4, 5, 6, 7], num_reserved_ids=1, distortion=0.75))
    print(tf.random.learned_unigram_candidate_sampler(t, 2, 5, unique, 8))
    print(tf.nn.all_candidate_sampler(t, 2, 8, unique))

# --- seeded
t = tf.constant([[1], [3], [0]], tf.int64)
tf.random.set_seed(3)
for seed in (1, 1, 2):
    print(tf.random.log_uniform_candidate_sampler(t, 1, 6, True, 100, seed=seed).sampled_candidates, tf.random.uniform_candidate_sampler(t, 1, 6, False, 64, seed=seed)[0], tf.random.learned_unigram_candidate_sampler(t, 1, 3, False, 5, seed=seed)[1:])

# --- many
tf.random.set_seed(1)
s = tf.random.log_uniform_candidate_sampler([[5]], 1, 200, True, 1000, seed=4)
print(s.sampled_candidates, s.true_expected_count, s.sampled_expected_count[:5], s._fields)

# --- sampler_errors
for call in (lambda: tf.random.uniform_candidate_sampler([[1]], 1, 5, True, 3), lambda: tf.random.uniform_candidate_sampler([1], 1, 5, True, 30), lambda: tf.random.uniform_candidate_sampler([[1]], 2, 5, True, 30), lambda: tf.random.fixed_unigram_candidate_sampler([[1]], 1, 2, True, 3), lambda: tf.random.fixed_unigram_candidate_sampler([[1]], 1, 2, True, 3, unigrams=[1.0, 2.0]), lambda: tf.nn.compute_accidental_hits([[1]], [1], 2), lambda: tf.nn.compute_accidental_hits([[1]], [[1]], 1)):
    print(outcome(call))

# --- accidental_hits
print(tf.nn.compute_accidental_hits(tf.constant([[1, 2], [3, 1]], tf.int64), tf.constant([1, 3, 5, 2], tf.int64), 2))
print(tf.nn.compute_accidental_hits(tf.constant([[7]], tf.int64), tf.constant([1, 3], tf.int64), 1))

# --- losses
rng = np.random.RandomState(0)
w, b = tf.Variable(rng.randn(20, 3).astype("float32")), tf.Variable(rng.randn(20).astype("float32"))
x = tf.constant(rng.randn(4, 3).astype("float32"))
for num_true in (1, 2):
    labels = tf.constant(rng.randint(0, 20, [4, num_true]), tf.int64)
    for hits in (True, False):
        tf.random.set_seed(5)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            losses = [tf.nn.sampled_softmax_loss(w, b, labels, x, 6, 20, num_true, remove_accidental_hits=hits, seed=1), tf.nn.nce_loss(w, b, labels, x, 6, 20, num_true, remove_accidental_hits=hits)]
        for loss in losses:
            print(loss, tape.gradient(loss, x), tf.convert_to_tensor(tape.gradient(loss, w)), tf.convert_to_tensor(tape.gradient(loss, b)))

# --- given_samples
w, b = [tf.ones([3, 2]) * 0.5, tf.ones([3, 2])], [tf.zeros([3]), tf.ones([3])]
sampled = (tf.constant([0, 4, 5], tf.int64), tf.constant([[0.5], [0.25]]), tf.constant([0.5, 0.25, 0.125]))
x, labels = tf.constant([[1.0, 2.0], [0.5, -1.0]]), tf.constant([[4], [2]], tf.int64)
print(tf.nn.sampled_softmax_loss(w, b, labels, x, 3, 6, sampled_values=sampled))
print(tf.nn.nce_loss(w, b, labels, x, 3, 6, sampled_values=sampled, remove_accidental_hits=True))
