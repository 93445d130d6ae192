# What tiktoken says of texts: JSON text, one a line, in and out.
#
#   python3 reference.py RANKS TEXTS SAMPLE
#
# RANKS has the files that OpenAI publishes. tiktoken would fetch them; here they are given to it, once their digests are
# those in its source. Of every text it prints the counts, and of each SAMPLEth the ids and where the text is cut.

import base64
import hashlib
import json
import sys

import tiktoken
import tiktoken_ext.openai_public as public

ENCODINGS = ["o200k_base", "cl100k_base"]


def encoding_of(name, folder):
    """The encoding as tiktoken makes it, but for the names of special tokens, which are text here."""
    expected = []

    def load(url, expected_hash):
        with open(f"{folder}/{url.rsplit('/', 1)[1]}", "rb") as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() != expected_hash:
            raise SystemExit(f"the ranks of {name} are not those that tiktoken names")
        expected.append(expected_hash)
        lines = (line.split() for line in content.splitlines())
        return {base64.b64decode(token): int(rank) for token, rank in lines}

    public.load_tiktoken_bpe = load
    arguments = public.ENCODING_CONSTRUCTORS[name]()
    assert len(expected) == 1
    arguments["special_tokens"] = {}
    return tiktoken.Encoding(**arguments)


def cuts(encoding, ids):
    """For every limit up to the count: how many UTF-16 units and bytes are kept.

    The longest start that ends where a token and a character end, and that has no more tokens by itself, either: cut
    off, a text may fall into other tokens than before.
    """
    starts, so_far = [(0, "")], b""
    for number, token in enumerate(ids, 1):
        so_far += encoding.decode_single_token_bytes(token)
        try:
            starts.append((number, so_far.decode("utf-8")))
        except UnicodeDecodeError:
            continue
    found = []
    for limit in range(len(ids) + 1):
        within = (text for number, text in reversed(starts) if number <= limit)
        kept = next(text for text in within if len(encoding.encode_ordinary(text)) <= limit)
        found.append((len(kept.encode("utf-16-le")) // 2, len(kept.encode("utf-8"))))
    return found


def main():
    folder, texts, sample = sys.argv[1], sys.argv[2], int(sys.argv[3])
    encodings = [encoding_of(name, folder) for name in ENCODINGS]
    with open(texts, encoding="utf-8") as file:
        for index, line in enumerate(file):
            text = json.loads(line)
            all_ids = [encoding.encode_ordinary(text) for encoding in encodings]
            answer = {"counts": [len(ids) for ids in all_ids]}
            if index % sample == 0 and len(text) < 2000:
                answer["ids"] = all_ids
                answer["cuts"] = [cuts(encoding, ids) for encoding, ids in zip(encodings, all_ids)]
            print(json.dumps(answer, separators=(",", ":")))


main()
