"""An application that answers with the sentence most like the question. Run: python server.py PORT"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Application(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        words = set(asked["question"].lower().rstrip("?").split())
        sentences = re.split(r"(?<=[.?!])\s+", asked["document"])
        best = max(sentences, key=lambda sentence: len(words & set(sentence.lower().split())))
        reply = json.dumps({"answer": best}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        """Say nothing a request."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Application).serve_forever()
