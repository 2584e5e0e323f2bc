"""Runs the server for a client and keeps a copy of all that it writes to standard output.

Clients start this in place of the server, so that afterwards every byte can be judged: standard output belongs to the protocol. The
program is named by WHEREIN_BIN, the copy by CLIENTS_COPY; standard input is the server's own.
"""

import os
import subprocess
import sys


def main() -> int:
    server = subprocess.Popen([os.environ["WHEREIN_BIN"], *sys.argv[1:]], stdout=subprocess.PIPE)
    with open(os.environ["CLIENTS_COPY"], "ab") as copy:
        while chunk := os.read(server.stdout.fileno(), 1 << 16):
            copy.write(chunk)
            copy.flush()
            try:
                sys.stdout.buffer.write(chunk)
                sys.stdout.buffer.flush()
            except OSError:
                break
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
