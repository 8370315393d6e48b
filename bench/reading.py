"""Speed of reading: records, Examples, text and images, tapeflow and TensorFlow in one run.

    python bench/reading.py --tensorflow PYTHON [--rounds 4] [--launches 2]

PYTHON is an interpreter that has TensorFlow. Status 1 if a target is missed.
"""

import argparse
import sys

import race

# Case -> title, and how many times faster than TensorFlow tapeflow is meant to be.
CASES = {name: (title, {"tensorflow": 1}) for name, title in {
    "records": "TFRecord.map(length), 5,000 × 200 B",
    "records_batch": "TFRecord.batch, 5,000 × 200 B",
    "records_large": "TFRecord.batch, 100 × 100 kB",
    "records_gzip": "TFRecord GZIP.batch, 5,000",
    "parse_single": "parse_single_example",
    "parse_batch": "parse_example, 256, dense",
    "parse_sparse": "parse_example, 256, with VarLen",
    "parse_ragged": "parse_example, 256, ragged",
    "map_single": "TFRecord.map(parse_single), 2,000",
    "map_single_batch": "TFRecord.map(parse_single).batch",
    "batch_map": "TFRecord.batch.map(parse_example)",
    "batch_map_ragged": "TFRecord.batch.map(parse ragged)",
    "lines": "TextLine.map(length), 2,000",
    "lines_batch": "TextLine.batch, 2,000",
    "decode_csv": "decode_csv, 2,000 × 5",
    "csv_map": "TextLine.map(decode_csv), 2,000",
    "csv_batch_map": "TextLine.batch.map(decode_csv)",
    "csv_dataset": "CsvDataset, 2,000 × 5",
    "make_csv": "make_csv_dataset, 2,000 × 5",
    "png": "decode_png 240×320×3",
    "png_large": "decode_png 1024×1536×3",
    "png_small": "decode_png 28×28",
    "png_map": "map(decode_png), 200 × 28×28",
    "jpeg": "decode_jpeg 240×320×3",
    "jpeg_small": "decode_jpeg 16×16×3",
    "jpeg_large": "decode_jpeg 1024×1536×3",
    "bmp": "decode_bmp 240×320×3",
    "gif": "decode_gif 4×240×320×3",
    "image": "decode_image of a PNG",
}.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    race.arguments(parser, rounds=4)
    parser.add_argument("--only", help="cases to run, by name, with commas between")
    options = parser.parse_args()
    wanted = options.only.split(",") if options.only else list(CASES)
    chosen = {name: CASES[name] for name in wanted}
    pythons = {"tapeflow": (options.tapeflow, "cases_reading")}
    if options.tensorflow:
        pythons["tensorflow"] = (options.tensorflow, "cases_reading")
    best, versions = race.measure(
        chosen, pythons, options.launches, options.rounds, options.seconds
    )
    return 0 if race.report(chosen, best, versions) else 1


if __name__ == "__main__":
    sys.exit(main())
