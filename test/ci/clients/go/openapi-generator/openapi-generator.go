// Uses the client of openapi-generator as an integrator would: openapi-generator ORIGIN PROJECT LIMIT
package main

import (
	"context"
	"errors"
	"os"
	"strconv"

	workgate "workgate.test/clients/generated/openapigenerator"
	"workgate.test/clients/result"
)

func main() {
	origin, project := os.Args[1], os.Args[2]
	limit, err := strconv.ParseInt(os.Args[3], 10, 32)
	check(err)
	configuration := workgate.NewConfiguration()
	configuration.Servers = workgate.ServerConfigurations{{URL: origin + "/api/external/v1"}}
	client := workgate.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), workgate.ContextAccessToken, os.Getenv("WORKGATE_KEY"))
	result.Print(result.Result{
		Pages:   walk(ctx, client, project, int32(limit)),
		Created: create(ctx, client, project),
		Problem: missing(ctx, client, project),
	})
}

func walk(ctx context.Context, client *workgate.APIClient, project string, limit int32) [][]string {
	request := client.TasksAPI.ListTasks(ctx, project).
		State([]workgate.TaskState{workgate.TASKSTATE_COMPLETED, workgate.TASKSTATE_CANCELLED}).
		Priority([]workgate.Priority{workgate.PRIORITY_LOW, workgate.PRIORITY_MEDIUM, workgate.PRIORITY_HIGH}).
		Sort("-updatedAt").
		Limit(limit)
	pages := [][]string{}
	for {
		page, _, err := request.Execute()
		check(err)
		ids := []string{}
		for _, task := range page.Data {
			ids = append(ids, task.Id)
		}
		pages = append(pages, ids)
		if page.Meta.NextCursor.Get() == nil {
			return pages
		}
		request = request.Cursor(*page.Meta.NextCursor.Get())
	}
}

func create(ctx context.Context, client *workgate.APIClient, project string) result.Created {
	input := workgate.NewTaskInput("Made by openapi-generator in Go")
	input.SetPriority(workgate.PRIORITY_HIGH)
	input.SetDueDate("2026-12-01")
	input.SetTags([]string{"generated"})
	input.SetDescriptionNil()
	created, _, err := client.TasksAPI.CreateTask(ctx, project).TaskInput(*input).Execute()
	check(err)
	task, _, err := client.TasksAPI.GetTask(ctx, project, created.Data.Id).Include([]string{"tags", "watchers"}).Execute()
	check(err)
	tags := []string{}
	for _, tag := range task.Data.Tags {
		tags = append(tags, tag.Name)
	}
	return result.Created{
		Id:       task.Data.Id,
		Title:    task.Data.Title,
		Priority: string(task.Data.Priority),
		DueDate:  *task.Data.DueDate.Get(),
		Tags:     tags,
	}
}

func missing(ctx context.Context, client *workgate.APIClient, project string) string {
	_, _, err := client.TasksAPI.GetTask(ctx, project, project).Execute()
	var failure *workgate.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic("the request did not fail")
	}
	return string(failure.Model().(workgate.Problem).Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
