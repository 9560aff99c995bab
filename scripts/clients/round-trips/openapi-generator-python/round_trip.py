import os

from openapi_client import (
    ApiClient,
    Configuration,
    ItemsApi,
    LoginRequest,
    MembersApi,
    PutItemRequest,
    QueryItemsRequest,
    SQLApi,
    SessionApi,
    SqlQueryRequest,
)
from openapi_client.exceptions import NotFoundException

url = os.environ["SERVICE_URL"]
pk, sk = "customer#a/b", "order#1"


def client(credential=None):
    return ApiClient(Configuration(host=url, access_token=credential))


session = SessionApi(client()).login(
    LoginRequest(email="owner@demo.test", password="demo-password")
).auth_response
members = MembersApi(client(session.access_token)).list_members(session.personal_org_id).members
assert [member.email for member in members] == ["owner@demo.test"], members

items = ItemsApi(client("dsk_demo_all"))
put = items.put_item("db_demo", PutItemRequest(pk=pk, sk=sk, data={"total": 42.5}))
assert put.pk == pk, put
got = items.get_item_with_sort_key("db_demo", pk, sk)
assert got.data == {"total": 42.5}, got
page = items.query_items("db_demo", QueryItemsRequest(partition_key=pk))
assert [item.sk for item in page.items] == [sk], page
try:
    items.get_item("db_demo", "nobody")
    raise AssertionError("found nobody")
except NotFoundException as error:
    assert error.data.type.endswith("/item-not-found"), error.data

rows = (
    SQLApi(client("dsk_demo_all"))
    .run_sql_query(
        "db_demo",
        SqlQueryRequest(sql="SELECT page FROM page_views WHERE page = ? LIMIT 1", parameters={"p1": "/home"}),
    )
    .rows
)
assert [row["page"] for row in rows] == ["/home"], rows
