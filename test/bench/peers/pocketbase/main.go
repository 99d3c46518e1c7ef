// PocketBase with one more command: "fill FILE" creates the collection "tasks" from a CSV file, and prints the token of
// a new user. With REQUEST_LOG=off, the server does not log requests.
package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
	"github.com/spf13/cobra"
)

func main() {
	// New() would enable development mode, which prints every statement, because the program is in a temporary folder.
	app := pocketbase.NewWithConfig(pocketbase.Config{DefaultDev: false})
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		// The installer opens a browser if there is no superuser.
		e.InstallerFunc = nil
		if os.Getenv("REQUEST_LOG") == "off" {
			e.App.Settings().Logs.MaxDays = 0
		}
		return e.Next()
	})
	app.RootCmd.AddCommand(&cobra.Command{
		Use:  "fill FILE",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return fill(app, args[0]) },
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

func fill(app core.App, path string) error {
	tasks := core.NewBaseCollection("tasks")
	tasks.ListRule = types.Pointer(`@request.auth.id != ""`)
	id := tasks.Fields.GetByName("id").(*core.TextField)
	id.Max, id.Pattern = 36, "^[a-z0-9-]+$"
	for _, name := range []string{"project_id", "title", "description", "state", "priority", "board_id", "stage_id",
		"parent_id", "assignee_id", "creator_id", "start_date", "due_date"} {
		tasks.Fields.Add(&core.TextField{Name: name})
	}
	for _, name := range []string{"number", "estimate_seconds", "version"} {
		tasks.Fields.Add(&core.NumberField{Name: name})
	}
	for _, name := range []string{"completed_at", "created_at", "updated_at"} {
		tasks.Fields.Add(&core.DateField{Name: name})
	}
	tasks.AddIndex("tasks_created_at", false, "project_id, created_at, id", "")
	if err := app.Save(tasks); err != nil {
		return err
	}
	if err := app.RunInTransaction(func(tx core.App) error { return insert(tx, path) }); err != nil {
		return err
	}
	if _, err := app.DB().NewQuery("analyze").Execute(); err != nil {
		return err
	}

	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	user := core.NewRecord(users)
	user.SetEmail("bench@example.org")
	user.SetRandomPassword()
	if err := app.Save(user); err != nil {
		return err
	}
	token, err := user.NewAuthToken()
	if err == nil {
		fmt.Println(token)
	}
	return err
}

// The first line of the file contains the names of the columns.
func insert(tx core.App, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows := csv.NewReader(file)
	names, err := rows.Read()
	if err != nil {
		return err
	}
	statement := tx.DB().NewQuery(fmt.Sprintf("insert into tasks (%s) values ({:%s})",
		strings.Join(names, ", "), strings.Join(names, "}, {:"))).Prepare()
	defer statement.Close()
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		values := dbx.Params{}
		for n, name := range names {
			values[name] = row[n]
		}
		if _, err := statement.Bind(values).Execute(); err != nil {
			return err
		}
	}
}
