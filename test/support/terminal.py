"""Runs a program in a terminal of its own and answers its questions.

terminal.py ANSWERS PROGRAM ARG...    ANSWERS is JSON: [[what to wait for, what to type], ...]
What the program prints goes to standard output; the exit code is the program's.
"""
import json, os, pty, select, sys, time

answers, program = json.loads(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(program[0], program)
seen, deadline = b"", time.monotonic() + 60
while time.monotonic() < deadline:
    ready, _, _ = select.select([terminal], [], [], 1)
    if not ready:
        continue
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    os.write(1, chunk)
    seen += chunk
    if answers and answers[0][0].encode() in seen:
        seen = seen.split(answers[0][0].encode(), 1)[1]
        os.write(terminal, answers.pop(0)[1].encode())
else:
    os.kill(child, 9)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 99)
