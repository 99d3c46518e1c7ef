//! Uses the client of openapi-generator as an integrator would: clients ORIGIN PROJECT LIMIT

use std::sync::Arc;

use workgate_client::apis::configuration::Configuration;
use workgate_client::apis::tasks_api::{
    CreateTaskParams, GetTaskParams, ListTasksParams, TasksApi, TasksApiClient,
};
use workgate_client::apis::Error;
use workgate_client::models::{Priority, Problem, TaskInput, TaskState};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let project = &arguments[2];
    let limit: i32 = arguments[3].parse().unwrap();
    let configuration = Configuration {
        base_path: format!("{}/api/external/v1", arguments[1]),
        bearer_access_token: std::env::var("WORKGATE_KEY").ok(),
        ..Configuration::default()
    };
    let client = TasksApiClient::new(Arc::new(configuration));
    let result = serde_json::json!({
        "pages": walk(&client, project, limit).await,
        "created": create(&client, project).await,
        "problem": missing(&client, project).await,
    });
    println!("{result}");
}

async fn walk(client: &TasksApiClient, project: &str, limit: i32) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let params = ListTasksParams::builder()
            .project_id(project.to_owned())
            .state(vec![TaskState::Completed, TaskState::Cancelled])
            .priority(vec![Priority::Low, Priority::Medium, Priority::High])
            .sort("-updatedAt".to_owned())
            .limit(limit)
            .maybe_cursor(cursor)
            .build();
        let page = client.list_tasks(params).await.unwrap();
        pages.push(page.data.iter().map(|task| task.id.to_string()).collect());
        cursor = page.meta.next_cursor;
        if cursor.is_none() {
            return pages;
        }
    }
}

async fn create(client: &TasksApiClient, project: &str) -> serde_json::Value {
    let input = TaskInput {
        priority: Some(Some(Priority::High)),
        due_date: Some(chrono::NaiveDate::from_ymd_opt(2026, 12, 1)),
        tags: Some(Some(vec!["generated".to_owned()])),
        description: Some(None),
        ..TaskInput::new("Made by openapi-generator in Rust".to_owned())
    };
    let params = CreateTaskParams::builder()
        .project_id(project.to_owned())
        .task_input(input)
        .build();
    let created = client.create_task(params).await.unwrap();
    let params = GetTaskParams::builder()
        .project_id(project.to_owned())
        .task_id(created.data.id.to_string())
        .include(vec!["tags".to_owned(), "watchers".to_owned()])
        .build();
    let task = client.get_task(params).await.unwrap().data;
    serde_json::json!({
        "id": task.id,
        "title": task.title,
        "priority": task.priority,
        "dueDate": task.due_date,
        "tags": task.tags.unwrap().iter().map(|tag| tag.name.clone()).collect::<Vec<String>>(),
    })
}

async fn missing(client: &TasksApiClient, project: &str) -> String {
    let params = GetTaskParams::builder()
        .project_id(project.to_owned())
        .task_id(project.to_owned())
        .build();
    match client.get_task(params).await {
        // The enumeration of errors does not look at the status, so every problem is its first variant.
        Err(Error::ResponseError(response)) => {
            let problem: Problem = serde_json::from_str(&response.content).unwrap();
            problem.code.to_string()
        }
        other => panic!("{other:?}"),
    }
}
