import os

from client import AuthenticatedClient, Client
from client.api.items import get_item, get_item_with_sort_key, put_item, query_items
from client.api.members import list_members
from client.api.session import login
from client.api.sql import run_sql_query
from client.models import (
    ItemData,
    LoginRequest,
    NotFoundProblem,
    PutItemRequest,
    QueryItemsRequest,
    SqlQueryRequest,
    SqlQueryRequestParametersType0,
)

url = os.environ["SERVICE_URL"]
pk, sk = "customer#a/b", "order#1"

credentials = LoginRequest(email="owner@demo.test", password="demo-password")
session = login.sync(client=Client(base_url=url), body=credentials).auth_response
user = AuthenticatedClient(base_url=url, token=session.access_token)
members = list_members.sync(session.personal_org_id, client=user).members
assert [member.email for member in members] == ["owner@demo.test"], members

key = AuthenticatedClient(base_url=url, token="dsk_demo_all")
order = PutItemRequest(pk=pk, sk=sk, data=ItemData.from_dict({"total": 42.5}))
put = put_item.sync("db_demo", client=key, body=order)
assert put.pk == pk, put
got = get_item_with_sort_key.sync("db_demo", pk, sk, client=key)
assert got.data.to_dict() == {"total": 42.5}, got
page = query_items.sync("db_demo", client=key, body=QueryItemsRequest(partition_key=pk))
assert [item.sk for item in page.items] == [sk], page
missing = get_item.sync("db_demo", "nobody", client=key)
assert isinstance(missing, NotFoundProblem) and missing.type_.endswith("/item-not-found"), missing

select = SqlQueryRequest(
    sql="SELECT page FROM page_views WHERE page = ? LIMIT 1",
    parameters=SqlQueryRequestParametersType0.from_dict({"p1": "/home"}),
)
rows = run_sql_query.sync("db_demo", client=key, body=select).rows
assert [row["page"] for row in rows] == ["/home"], rows
