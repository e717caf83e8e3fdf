// Calls every operation of a client by oapi-codegen. Arguments: URL, token, names of operations to leave out.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"

	"clients/generated"
)

func main() {
	url, token, leftOut := os.Args[1], os.Args[2], os.Args[3:]
	client, err := generated.NewClientWithResponses(url, generated.WithRequestEditorFn(func(_ context.Context, req *http.Request) error {
		req.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		panic(err)
	}
	calls := reflect.ValueOf(client)
	for i := range calls.NumMethod() {
		operation, isCall := strings.CutSuffix(calls.Type().Method(i).Name, "WithResponse")
		if !isCall || slices.Contains(leftOut, operation) {
			continue
		}
		call := calls.Method(i)
		args := []reflect.Value{reflect.ValueOf(context.Background())}
		for n := 1; n < call.Type().NumIn()-1; n++ {
			arg := reflect.New(call.Type().In(n)).Elem()
			if arg.Kind() == reflect.String {
				arg.SetString("none")
			}
			if operation == "Openapi" {
				format := generated.OpenapiParamsFormat("json")
				arg = reflect.ValueOf(&generated.OpenapiParams{Format: &format})
			}
			args = append(args, arg)
		}
		results := call.Call(args)
		if err, failed := results[1].Interface().(error); failed {
			panic(fmt.Sprintf("%s: %v", operation, err))
		}
		answer := results[0].Elem()
		status := results[0].MethodByName("StatusCode").Call(nil)[0].Int()
		line, _ := json.Marshal(map[string]any{"operation": operation, "status": status, "parsed": parsed(answer)})
		fmt.Println(string(line))
	}
}

// The name of the field that holds the body that was read, as a type of the description.
func parsed(answer reflect.Value) string {
	for i := range answer.NumField() {
		name := answer.Type().Field(i).Name
		if name != "HTTPResponse" && name != "Body" && !answer.Field(i).IsNil() {
			return name
		}
	}
	return ""
}
