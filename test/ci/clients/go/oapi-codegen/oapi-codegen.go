// Uses the client of oapi-codegen as an integrator would: oapi-codegen ORIGIN PROJECT LIMIT
package main

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/oapi-codegen/runtime/types"
	workgate "workgate.test/clients/generated/oapicodegen"
	"workgate.test/clients/result"
)

func main() {
	project := os.Args[2]
	limit, err := strconv.Atoi(os.Args[3])
	check(err)
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("WORKGATE_KEY"))
		return nil
	}
	server := os.Args[1] + "/api/external/v1"
	client, err := workgate.NewClientWithResponses(server, workgate.WithRequestEditorFn(authorize))
	check(err)
	result.Print(result.Result{
		Pages:   walk(client, project, limit),
		Created: create(client, project),
		Problem: missing(client, project),
	})
}

func walk(client *workgate.ClientWithResponses, project string, limit int) [][]string {
	params := workgate.ListTasksParams{
		State:    &[]workgate.TaskState{workgate.TaskStateCompleted, workgate.TaskStateCancelled},
		Priority: &[]workgate.Priority{workgate.Low, workgate.Medium, workgate.High},
		Sort:     pointer(workgate.ListTasksParamsSortUpdatedAtDescending),
		Limit:    &limit,
	}
	pages := [][]string{}
	for {
		page, err := client.ListTasksWithResponse(context.Background(), project, &params)
		check(err)
		ids := []string{}
		for _, task := range page.JSON200.Data {
			ids = append(ids, task.Id.String())
		}
		pages = append(pages, ids)
		params.Cursor = page.JSON200.Meta.NextCursor
		if params.Cursor == nil {
			return pages
		}
	}
}

func create(client *workgate.ClientWithResponses, project string) result.Created {
	ctx := context.Background()
	created, err := client.CreateTaskWithResponse(ctx, project, nil, workgate.TaskInput{
		Title:    "Made by oapi-codegen",
		Priority: pointer(workgate.High),
		DueDate:  &types.Date{Time: time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)},
		Tags:     &[]string{"generated"},
	})
	check(err)
	params := workgate.GetTaskParams{Include: &[]workgate.GetTaskParamsInclude{"tags", "watchers"}}
	found, err := client.GetTaskWithResponse(ctx, project, created.JSON201.Data.Id.String(), &params)
	check(err)
	task := found.JSON200.Data
	tags := []string{}
	for _, tag := range *task.Tags {
		tags = append(tags, tag.Name)
	}
	return result.Created{
		Id:       task.Id.String(),
		Title:    task.Title,
		Priority: string(task.Priority),
		DueDate:  task.DueDate.String(),
		Tags:     tags,
	}
}

func missing(client *workgate.ClientWithResponses, project string) string {
	found, err := client.GetTaskWithResponse(context.Background(), project, project, nil)
	check(err)
	return string(found.ApplicationproblemJSON404.Code)
}

func pointer[Value any](value Value) *Value {
	return &value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
