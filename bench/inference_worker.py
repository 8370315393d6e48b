"""One library that answers with one model, in a process of its own; started by `inference.py`.

    python bench/inference_worker.py prepare FOLDER CASE     tapeflow: weights, ONNX files, inputs
    python bench/inference_worker.py save FOLDER CASE        TensorFlow: the saved model
    python bench/inference_worker.py LIBRARY FOLDER CASE BATCH

The last loads the model and answers; then every line of input, a number of seconds, asks for calls
that long. Its answers: seconds from the start of the process to the first result, then the least
milliseconds of a call, by the clock and of all cores. Results are left in FOLDER.
"""

import os
import sys
import time

BEGIN = time.time()
THREADS = 2
SEED = 1


# -- models ----------------------------------------------------------------------------------------
def mlp(keras):
    layers = keras.layers
    return keras.Sequential([keras.Input((784,)), layers.Dense(256, "relu"),
                             layers.Dense(128, "relu"), layers.Dense(10)])


def lstm(keras):
    layers = keras.layers
    return keras.Sequential([keras.Input((32, 32)), layers.LSTM(64), layers.Dense(10)])


def cnn(keras):
    layers = keras.layers
    return keras.Sequential([
        keras.Input((32, 32, 3)), layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(64, 3, activation="relu"), layers.MaxPooling2D(), layers.Flatten(),
        layers.Dense(64, "relu"), layers.Dense(10)])


def mobilenet(keras):
    return keras.applications.MobileNetV2(weights=None)


CASES = {"mlp": mlp, "lstm": lstm, "cnn": cnn, "mobilenet": mobilenet}
BATCHES = (1, 32)


def prepare(folder, case):
    import numpy as np

    import tapeflow as tf
    tf.keras.utils.set_random_seed(SEED)
    model = CASES[case](tf.keras)
    np.savez(f"{folder}/{case}.npz", *model.get_weights())
    tf.onnx.export(model, f"{folder}/{case}.onnx")
    rng = np.random.default_rng(0)
    for batch in BATCHES:
        np.save(f"{folder}/{case}-{batch}.npy",
                rng.uniform(-1, 1, (batch, *model.input_shape[1:])).astype("float32"))


def save(folder, case):
    import numpy as np
    import tensorflow as tf
    model = CASES[case](tf.keras)
    with np.load(f"{folder}/{case}.npz") as kept:
        model.set_weights([kept[name] for name in kept.files])
    model.export(f"{folder}/{case}", verbose=False)


# -- libraries: the first call, later calls, and how they take an array ----------------------------
def tapeflow(folder, case):
    import tapeflow as tf
    tf.config.threading.set_intra_op_parallelism_threads(THREADS)
    loaded = tf.saved_model.load(f"{folder}/{case}")
    function = tf.function(lambda x: loaded.serve(x), jit_compile=True)
    return lambda x: loaded.serve(x).numpy(), lambda x: function(x).numpy(), tf.constant


def tensorflow(folder, case):
    import tensorflow as tf
    tf.config.threading.set_intra_op_parallelism_threads(THREADS)
    loaded = tf.saved_model.load(f"{folder}/{case}")
    def run(x):
        return loaded.serve(x).numpy()

    return run, run, tf.constant


def onnxruntime(folder, case):
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
    session = ort.InferenceSession(f"{folder}/{case}.onnx", options,
                                   providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    def run(x):
        return session.run(None, {name: x})[0]

    return run, run, lambda x: x


def main():
    library, folder, case = sys.argv[1:4]
    if library in ("prepare", "save"):
        globals()[library](folder, case)
        return
    batch = sys.argv[4]
    import numpy as np
    first, run, given = globals()[library](folder, case)
    x = given(np.load(f"{folder}/{case}-{batch}.npy"))
    first(x)
    print(time.time() - BEGIN, flush=True)
    for line in sys.stdin:
        run(x)
        best = busy = float("inf")
        end = time.perf_counter() + float(line)
        while time.perf_counter() < end:
            start, cores = time.perf_counter(), time.process_time()
            run(x)
            best = min(best, time.perf_counter() - start)
            busy = min(busy, time.process_time() - cores)
        np.save(f"{folder}/{case}-{batch}-{library}.npy", run(x))
        print(best * 1e3, busy * 1e3, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    main()
