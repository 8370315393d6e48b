"""A rank of `scaling.py`: reads requests (JSON lines) on rank 0, answers them for all ranks.

Started by `tapeflow launch`; `--torch` instead is PyTorch's DistributedDataParallel over gloo, a
process for each rank, started by `scaling.py` itself.
"""

import json
import sys
import time

import numpy as np

LAYERS = {"MLP 784-512-512-10": [784, 512, 512, 10]}
MODELS = ("MLP 784-512-512-10", "LeNet")
RATE = 0.05


def initial(model):
    """The same weights for every library: pairs of kernel and bias."""
    random = np.random.RandomState(1)
    sizes = LAYERS.get(model)
    shapes = ([(a, b) for a, b in zip(sizes, sizes[1:])] if sizes else
              [(5, 5, 1, 6), (5, 5, 6, 16), (400, 120), (120, 84), (84, 10)])
    return [(random.randn(*shape).astype("f") / float(np.sqrt(np.prod(shape[:-1]))),
             np.zeros(shape[-1], "f")) for shape in shapes]


def samples(model, rank, batch):
    """The rank's part of a global batch."""
    random = np.random.RandomState(100 + rank)
    shape = (batch, 784) if model in LAYERS else (batch, 28, 28, 1)
    return random.rand(*shape).astype("f"), random.randint(0, 10, batch)


def timed(call, count, clock=time.perf_counter):
    """Seconds of each call."""
    found = []
    for _ in range(count):
        begin = clock()
        call()
        found.append(clock() - begin)
    return found


class Tapeflow:
    """Steps of tf.function under MultiWorkerMirroredStrategy."""

    def __init__(self):
        import tensorflow as tf

        from tapeflow.distribute.mpi.engine import engine

        self.tf, self.engine = tf, engine()
        self.strategy = tf.distribute.MultiWorkerMirroredStrategy()
        self.rank, self.size = (self.engine.rank, self.engine.size) if self.engine else (0, 1)
        self.steps = {}

    def request(self):
        line = sys.stdin.readline() if self.rank == 0 else ""
        if self.engine is None:
            return json.loads(line or "{}")
        from tapeflow.distribute.mpi import exchange
        return json.loads(exchange.broadcast_object(self.engine.world, line, 0, "request") or "{}")

    def build(self, model, batch, reduce=True):
        tf, strategy = self.tf, self.strategy
        with strategy.scope():
            weights = [tf.Variable(x) for pair in initial(model) for x in pair]

        def forward(x):
            layers = list(zip(weights[::2], weights[1::2]))
            if model not in LAYERS:
                for (w, b), padding in zip(layers, ("SAME", "VALID")):
                    x = tf.nn.relu(tf.nn.conv2d(x, w, 1, padding) + b)
                    x = tf.nn.max_pool2d(x, 2, 2, "VALID")
                x, layers = tf.reshape(x, [-1, 400]), layers[2:]
            for w, b in layers[:-1]:
                x = tf.nn.relu(x @ w + b)
            return x @ layers[-1][0] + layers[-1][1]

        def replica(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                    y, forward(x)))
            grads = tape.gradient(loss, weights)
            if reduce:
                grads = tf.distribute.get_replica_context().all_reduce("MEAN", grads)
            for w, g in zip(weights, grads):
                w.assign_sub(RATE * g)
            return loss

        x, y = map(tf.constant, samples(model, self.rank, batch))
        step = tf.function(lambda x, y: strategy.run(replica, args=(x, y)))
        return lambda: step(x, y)

    def steps_of(self, model, batch, count, reduce=True):
        key = model, batch, reduce
        if key not in self.steps:
            self.steps[key] = self.build(*key)
            timed(self.steps[key], min(40, 4 * count))  # native code serves from now on
        return timed(self.steps[key], count)

    def cpu_of(self, model, batch, count):
        """Seconds of CPU that this rank's process takes for each step, waiting included."""
        self.steps_of(model, batch, 1)
        return timed(self.steps[model, batch, True], count, time.process_time)

    def losses(self, model, batch):
        """Mean losses over ranks of the first steps."""
        step = self.build(model, batch // self.size)
        mean = self.strategy.reduce
        return [float(mean("MEAN", step(), axis=None)) for _ in range(4)]

    def exchange(self, model, count):
        """Seconds of a bare MPI.Allreduce of all gradients, and of ours, in turn."""
        from tapeflow.distribute.mpi import exchange

        world = self.engine.world
        grads = [x for pair in initial(model) for x in pair]
        flat = np.concatenate([x.ravel() for x in grads])
        result = np.empty_like(flat)
        bare, ours = [], []
        for _ in range(count):
            exchange.barrier(world, "bench")
            bare += timed(lambda: world.communicator.Allreduce(flat, result), 1)
            exchange.barrier(world, "bench")
            ours += timed(lambda: exchange.all_reduce(world, grads, "mean", "bench"), 1)
        return bare, ours

    def allreduce(self, nbytes, count):
        """Seconds of our reduction of so many bytes."""
        from tapeflow.distribute.mpi import exchange

        world, values = self.engine.world, [np.ones(nbytes // 4, "f")]
        found = []
        for _ in range(count):
            exchange.barrier(world, "bench")
            found += timed(lambda: exchange.all_reduce(world, values, "sum", "bench"), 1)
        return found


class Torch:
    """Steps of DistributedDataParallel."""

    def __init__(self, rank, size, port):
        import torch
        import torch.distributed as dist

        torch.set_num_threads(1)
        self.torch, self.dist, self.rank, self.size = torch, dist, rank, size
        dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank,
                                world_size=size)
        self.steps = {}

    def request(self):
        line = [sys.stdin.readline() if self.rank == 0 else ""]
        self.dist.broadcast_object_list(line, 0)
        return json.loads(line[0] or "{}")

    def build(self, model, batch, reduce=True):
        torch, nn = self.torch, self.torch.nn
        layers, weights = [], initial(model)
        if model not in LAYERS:
            for (w, _), padding in zip(weights[:2], ("same", "valid")):
                layers += [nn.Conv2d(w.shape[2], w.shape[3], 5, padding=padding), nn.ReLU(),
                           nn.MaxPool2d(2)]
            layers.append(nn.Flatten())
        dense = weights if model in LAYERS else weights[2:]
        for w, _ in dense:
            layers += [nn.Linear(*w.shape), nn.ReLU()]
        net = nn.Sequential(*layers[:-1])
        with torch.no_grad():
            own = [one for one in net if hasattr(one, "weight")]
            for layer, (w, b) in zip(own, weights):
                axes = (3, 2, 0, 1) if w.ndim == 4 else (1, 0)
                layer.weight.copy_(torch.from_numpy(w.transpose(axes).copy()))
                layer.bias.copy_(torch.from_numpy(b))
        net = nn.parallel.DistributedDataParallel(net)
        optimizer, loss_of = torch.optim.SGD(net.parameters(), RATE), nn.CrossEntropyLoss()
        x, y = samples(model, self.rank, batch)
        x = torch.from_numpy(x if x.ndim == 2 else x.transpose(0, 3, 1, 2).copy())
        y = torch.from_numpy(y)

        def step():
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(net(x), y)
            loss.backward()
            optimizer.step()
            return loss

        return step

    steps_of, cpu_of = Tapeflow.steps_of, Tapeflow.cpu_of

    def losses(self, model, batch):
        # Flat features of a convolution come in another order, so LeNet starts elsewhere.
        step = self.build(model, batch // self.size)
        means = []
        for _ in range(4):
            mean = step().detach().clone()
            self.dist.all_reduce(mean)
            means.append(float(mean) / self.size)
        return means


def main():
    if "--torch" in sys.argv:
        own = Torch(*map(int, sys.argv[2:5]))
    else:
        own = Tapeflow()
    while request := own.request():
        kind = request.pop("do")
        answer = getattr(own, kind)(**request)
        if own.rank == 0:
            print(json.dumps(answer), flush=True)


main()
