// Package result prints the results of a client as JSON.
package result

import (
	"encoding/json"
	"os"
)

// Result is the same for all clients, in every language.
type Result struct {
	// Pages contains the ids of the tasks on each page.
	Pages   [][]string `json:"pages"`
	Created Created    `json:"created"`
	// Problem is the code of the problem that a request for an unknown task fails with.
	Problem string `json:"problem"`
}

// Created is the created task, as the client parsed it.
type Created struct {
	Id       string   `json:"id"`
	Title    string   `json:"title"`
	Priority string   `json:"priority"`
	DueDate  string   `json:"dueDate"`
	Tags     []string `json:"tags"`
}

// Print writes the result to the standard output.
func Print(result Result) {
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		panic(err)
	}
}
