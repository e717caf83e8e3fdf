// Calls every operation of a client by ogen. Arguments: URL, token, names of operations to leave out.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"

	"clients/generated"
)

type bearer string

func (token bearer) Token(context.Context, generated.OperationName) (generated.Token, error) {
	return generated.Token{Token: string(token)}, nil
}

func main() {
	url, token, leftOut := os.Args[1], os.Args[2], os.Args[3:]
	client, err := generated.NewClient(url, bearer(token))
	if err != nil {
		panic(err)
	}
	calls := reflect.ValueOf(client)
	for i := range calls.NumMethod() {
		operation := calls.Type().Method(i).Name
		if slices.Contains(leftOut, operation) {
			continue
		}
		call := calls.Method(i)
		args := []reflect.Value{reflect.ValueOf(context.Background())}
		for n := 1; n < call.Type().NumIn(); n++ {
			arg := reflect.New(call.Type().In(n)).Elem()
			if name := arg.FieldByName("Name"); name.IsValid() {
				name.SetString("none")
			}
			if operation == "Openapi" {
				format := generated.NewOptOpenapiFormat(generated.OpenapiFormatJSON)
				arg = reflect.ValueOf(generated.OpenapiParams{Format: format})
			}
			args = append(args, arg)
		}
		results := call.Call(args)
		if err, failed := results[len(results)-1].Interface().(error); failed {
			panic(fmt.Sprintf("%s: %v", operation, err))
		}
		parsed := reflect.TypeOf(results[0].Interface()).String()
		line, _ := json.Marshal(map[string]any{"operation": operation, "parsed": parsed})
		fmt.Println(string(line))
	}
}
