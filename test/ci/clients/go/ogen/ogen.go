// Uses the client of ogen as an integrator would: ogen ORIGIN PROJECT LIMIT
package main

import (
	"context"
	"os"
	"strconv"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"
	workgate "workgate.test/clients/generated/ogen"
	"workgate.test/clients/result"
)

// key is the API key, sent as a bearer token only.
type key string

func (k key) BearerKey(context.Context, workgate.OperationName) (workgate.BearerKey, error) {
	return workgate.BearerKey{Token: string(k)}, nil
}

func (key) ApiKeyHeader(context.Context, workgate.OperationName) (workgate.ApiKeyHeader, error) {
	return workgate.ApiKeyHeader{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	project := os.Args[2]
	limit, err := strconv.Atoi(os.Args[3])
	check(err)
	client, err := workgate.NewClient(os.Args[1]+"/api/external/v1", key(os.Getenv("WORKGATE_KEY")))
	check(err)
	result.Print(result.Result{
		Pages:   walk(client, project, limit),
		Created: create(client, project),
		Problem: missing(client, project),
	})
}

func walk(client *workgate.Client, project string, limit int) [][]string {
	params := workgate.ListTasksParams{
		ProjectId: project,
		State:     []workgate.TaskState{workgate.TaskStateCompleted, workgate.TaskStateCancelled},
		Priority:  []workgate.Priority{workgate.PriorityLow, workgate.PriorityMedium, workgate.PriorityHigh},
		Sort:      workgate.NewOptListTasksSort(workgate.ListTasksSortMinusUpdatedAt),
		Limit:     workgate.NewOptInt(limit),
	}
	pages := [][]string{}
	for {
		response, err := client.ListTasks(context.Background(), params)
		check(err)
		page := response.(*workgate.TaskPageHeaders).Response
		ids := []string{}
		for _, task := range page.Data {
			ids = append(ids, task.ID.String())
		}
		pages = append(pages, ids)
		cursor, hasMore := page.Meta.NextCursor.Get()
		if !hasMore {
			return pages
		}
		params.Cursor = workgate.NewOptString(cursor)
	}
}

func create(client *workgate.Client, project string) result.Created {
	ctx := context.Background()
	input := &workgate.TaskInput{
		Title:    "Made by ogen",
		Priority: workgate.NewOptNilPriority(workgate.PriorityHigh),
		DueDate:  workgate.NewOptNilDate(time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)),
		Tags:     workgate.NewOptNilStringArray([]string{"generated"}),
	}
	input.Description.SetToNull()
	created, err := client.CreateTask(ctx, input, workgate.CreateTaskParams{ProjectId: project})
	check(err)
	found, err := client.GetTask(ctx, workgate.GetTaskParams{
		ProjectId: project,
		TaskId:    created.(*workgate.TaskResponseHeaders).Response.Data.ID.String(),
		Include:   []workgate.GetTaskIncludeItem{workgate.GetTaskIncludeItemTags, workgate.GetTaskIncludeItemWatchers},
	})
	check(err)
	task := found.(*workgate.GetTaskOKHeaders).Response.Data
	tags := []string{}
	for _, tag := range task.Tags {
		tags = append(tags, tag.Name)
	}
	return result.Created{
		Id:       task.ID.String(),
		Title:    task.Title,
		Priority: string(task.Priority),
		DueDate:  task.DueDate.Value.Format(time.DateOnly),
		Tags:     tags,
	}
}

func missing(client *workgate.Client, project string) string {
	found, err := client.GetTask(context.Background(), workgate.GetTaskParams{ProjectId: project, TaskId: project})
	check(err)
	return string(found.(*workgate.GetTaskNotFound).Response.Code)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
