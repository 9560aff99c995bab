import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ItemsApi;
import org.openapitools.client.api.MembersApi;
import org.openapitools.client.api.SessionApi;
import org.openapitools.client.api.SqlApi;
import org.openapitools.client.model.AuthResponse;
import org.openapitools.client.model.ItemPage;
import org.openapitools.client.model.LoginRequest;
import org.openapitools.client.model.MemberList;
import org.openapitools.client.model.NotFoundProblem;
import org.openapitools.client.model.PutItemRequest;
import org.openapitools.client.model.QueryItemsRequest;
import org.openapitools.client.model.SqlQueryRequest;

public class RoundTrip {
  private static final String PK = "customer#a/b";
  private static final String SK = "order#1";

  public static void main(String[] arguments) throws Exception {
    String url = System.getenv("SERVICE_URL");
    AuthResponse session =
        new SessionApi(client(url, null))
            .login(new LoginRequest().email("owner@demo.test").password("demo-password"))
            .getAuthResponse();
    MemberList list =
        new MembersApi(client(url, session.getAccessToken())).listMembers(session.getPersonalOrgId());
    expect(list.getMembers().get(0).getEmail(), "owner@demo.test");

    ItemsApi items = new ItemsApi(client(url, "dsk_demo_all"));
    Map<String, Object> data = Collections.singletonMap("total", 42.5);
    PutItemRequest order = new PutItemRequest().pk(PK).sk(SK).data(data);
    expect(items.putItem("db_demo", order).getPk(), PK);
    expect(items.getItemWithSortKey("db_demo", PK, SK).getData(), data);
    ItemPage page = items.queryItems("db_demo", new QueryItemsRequest().partitionKey(PK));
    expect(page.getItems().size(), 1);
    expect(page.getItems().get(0).getSk(), SK);
    try {
      items.getItem("db_demo", "nobody");
      throw new AssertionError("found nobody");
    } catch (ApiException refusal) {
      expect(refusal.getCode(), 404);
      NotFoundProblem problem = NotFoundProblem.fromJson(refusal.getResponseBody());
      expect(problem.getType().toString().endsWith("/item-not-found"), true);
    }

    SqlQueryRequest query =
        new SqlQueryRequest()
            .sql("SELECT page FROM page_views WHERE page = ? LIMIT 1")
            .parameters(Collections.singletonMap("p1", "/home"));
    List<Map<String, Object>> rows =
        new SqlApi(client(url, "dsk_demo_all")).runSqlQuery("db_demo", query).getRows();
    expect(rows.size(), 1);
    expect(rows.get(0).get("page"), "/home");
  }

  private static ApiClient client(String url, String credential) {
    ApiClient client = new ApiClient().setBasePath(url);
    // setBearerToken is for one of the two security schemes alone
    if (credential != null) client.addDefaultHeader("Authorization", "Bearer " + credential);
    return client;
  }

  private static void expect(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", not " + actual);
  }
}
