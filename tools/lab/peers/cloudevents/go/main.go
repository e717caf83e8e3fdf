// Sends and receives events with the SDK of Go. As `peer knative URL` it passes events on as Knative's ingress and dispatcher do.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"

	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/cloudevents/sdk-go/v2/binding"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"
)

type event struct {
	ID      string  `json:"id"`
	Source  string  `json:"source"`
	Type    string  `json:"type,omitempty"`
	Subject *string `json:"subject"`
	Data    any     `json:"data,omitempty"`
	HasData bool    `json:"hasData"`
}

type order struct {
	URL   string `json:"url"`
	Event event  `json:"event"`
}

func say(line any) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func read(request *http.Request) (*cloudevents.Event, error) {
	message := cehttp.NewMessageFromHttpRequest(request)
	defer func() { _ = message.Finish(nil) }()
	read, err := binding.ToEvent(request.Context(), message)
	if err != nil {
		return nil, err
	}
	return read, read.Validate()
}

func receive(answer http.ResponseWriter, request *http.Request) {
	read, err := read(request)
	if err != nil {
		say(map[string]any{"refused": err.Error()})
		answer.WriteHeader(http.StatusBadRequest)
		return
	}
	seen := event{ID: read.ID(), Source: read.Source(), HasData: len(read.Data()) > 0}
	if subject := read.Subject(); subject != "" {
		seen.Subject = &subject
	}
	say(map[string]any{"received": seen})
	answer.WriteHeader(http.StatusAccepted)
}

// The calls of Knative's pkg/broker/ingress/ingress_handler.go and pkg/kncloudevents/event_dispatcher.go.
func passOn(to string) http.HandlerFunc {
	return func(answer http.ResponseWriter, request *http.Request) {
		read, err := read(request)
		if err != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		onward, _ := http.NewRequestWithContext(request.Context(), http.MethodPost, to, nil)
		if err := cehttp.WriteRequest(request.Context(), binding.ToMessage(read), onward); err == nil {
			if _, err = http.DefaultClient.Do(onward); err == nil {
				answer.WriteHeader(http.StatusAccepted)
				return
			}
		}
		answer.WriteHeader(http.StatusBadGateway)
	}
}

func send(client cloudevents.Client, order order) any {
	sent := cloudevents.NewEvent()
	sent.SetID(order.Event.ID)
	sent.SetSource(order.Event.Source)
	sent.SetType(order.Event.Type)
	if order.Event.Subject != nil {
		sent.SetSubject(*order.Event.Subject)
	}
	if order.Event.Data != nil {
		if err := sent.SetData(cloudevents.ApplicationJSON, order.Event.Data); err != nil {
			return map[string]any{"failed": err.Error()}
		}
	}
	result := client.Send(cloudevents.ContextWithTarget(context.Background(), order.URL), sent)
	var status *cehttp.Result
	if cloudevents.ResultAs(result, &status) {
		return map[string]any{"sent": status.StatusCode}
	}
	return map[string]any{"failed": result.Error()}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	handler := http.HandlerFunc(receive)
	if len(os.Args) == 3 && os.Args[1] == "knative" {
		handler = passOn(os.Args[2])
	}
	go func() { _ = http.Serve(listener, handler) }()
	say(map[string]any{"port": listener.Addr().(*net.TCPAddr).Port})
	client, err := cloudevents.NewClientHTTP()
	if err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var given order
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			panic(err)
		}
		say(send(client, given))
	}
}
