import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import com.google.gson.Gson;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.TasksApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.Priority;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Tag;
import org.openapitools.client.model.Task;
import org.openapitools.client.model.TaskInput;
import org.openapitools.client.model.TaskPage;
import org.openapitools.client.model.TaskState;

/** Uses the client of openapi-generator as an integrator would: Main ORIGIN PROJECT LIMIT. */
public class Main {
    record Created(UUID id, String title, String priority, String dueDate, List<String> tags) {}

    record Result(List<List<String>> pages, Created created, String problem) {}

    public static void main(String[] args) throws ApiException {
        ApiClient client = new ApiClient().setBasePath(args[0] + "/api/external/v1");
        ((HttpBearerAuth) client.getAuthentication("bearerKey")).setBearerToken(System.getenv("WORKGATE_KEY"));
        TasksApi api = new TasksApi(client);
        String project = args[1];
        int limit = Integer.parseInt(args[2]);
        Result result = new Result(walk(api, project, limit), create(api, project), missing(api, project));
        System.out.println(new Gson().toJson(result));
        client.getHttpClient().dispatcher().executorService().shutdown();
        client.getHttpClient().connectionPool().evictAll();
    }

    static List<List<String>> walk(TasksApi api, String project, int limit) throws ApiException {
        List<List<String>> pages = new ArrayList<>();
        String cursor = null;
        do {
            TaskPage page = api.listTasks(project)
                .state(List.of(TaskState.COMPLETED, TaskState.CANCELLED))
                .priority(List.of(Priority.LOW, Priority.MEDIUM, Priority.HIGH))
                .sort("-updatedAt")
                .limit(limit)
                .cursor(cursor)
                .execute();
            pages.add(page.getData().stream().map(task -> task.getId().toString()).toList());
            cursor = page.getMeta().getNextCursor();
        } while (cursor != null);
        return pages;
    }

    static Created create(TasksApi api, String project) throws ApiException {
        TaskInput input = new TaskInput()
            .title("Made by openapi-generator in Java")
            .priority(Priority.HIGH)
            .dueDate(LocalDate.of(2026, 12, 1))
            .tags(List.of("generated"));
        Task created = api.createTask(project, input).execute().getData();
        Task task = api.getTask(project, created.getId().toString()).include(List.of("tags", "watchers")).execute().getData();
        List<String> tags = task.getTags().stream().map(Tag::getName).toList();
        String dueDate = task.getDueDate().toString();
        return new Created(task.getId(), task.getTitle(), task.getPriority().getValue(), dueDate, tags);
    }

    static String missing(TasksApi api, String project) {
        try {
            api.getTask(project, project).execute();
            throw new AssertionError("the request did not fail");
        } catch (ApiException failure) {
            Problem problem = JSON.deserialize(failure.getResponseBody(), Problem.class);
            return problem.getCode().getValue();
        }
    }
}
