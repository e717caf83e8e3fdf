"""Sends and receives events with the SDK of Python, over the HTTP of its standard library."""

import http.client
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from cloudevents.core.bindings.http import HTTPMessage, from_http_event, to_binary_event
from cloudevents.core.v1.event import CloudEvent


def say(line):
    print(json.dumps(line), flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status = 202
        try:
            event = from_http_event(HTTPMessage(headers=dict(self.headers.items()), body=body))
            seen = {"id": event.get_id(), "source": event.get_source(), "subject": event.get_subject()}
            say({"received": {**seen, "hasData": bool(event.get_data())}})
        except Exception as error:
            status = 400
            say({"refused": repr(error)})
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def send(url, given):
    attributes = {name: given[name] for name in ("id", "source", "type", "subject") if given.get(name) is not None}
    if given.get("data") is not None:
        attributes["datacontenttype"] = "application/json"
    message = to_binary_event(CloudEvent(attributes={**attributes, "specversion": "1.0"}, data=given.get("data")))
    target = urlsplit(url)
    connection = http.client.HTTPConnection(target.hostname, target.port)
    connection.request("POST", target.path or "/", body=message.body, headers=message.headers)
    status = connection.getresponse().status
    connection.close()
    return status


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
say({"port": server.server_address[1]})
for line in sys.stdin:
    order = json.loads(line)
    try:
        say({"sent": send(order["url"], order["event"])})
    except Exception as error:
        say({"failed": repr(error)})
