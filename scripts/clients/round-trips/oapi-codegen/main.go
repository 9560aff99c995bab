package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	"roundtrip/client"
)

const (
	database = "db_demo"
	pk       = "customer#a/b"
)

var ctx = context.Background()

func main() {
	sk := "order#1"
	login := must(connect("").LoginWithResponse(ctx, client.LoginRequest{Email: "owner@demo.test", Password: "demo-password"}))
	session := login.JSON200.AuthResponse
	list := must(connect(session.AccessToken).ListMembersWithResponse(ctx, session.PersonalOrgId))
	expect(string(list.JSON200.Members[0].Email), "owner@demo.test")

	service := connect("dsk_demo_all")
	order := client.PutItemRequest{Pk: pk, Sk: &sk, Data: client.ItemData{"total": 42.5}}
	put := must(service.PutItemWithResponse(ctx, database, order))
	expect(put.JSON200.Pk, pk)
	got := must(service.GetItemWithSortKeyWithResponse(ctx, database, pk, sk))
	expect(got.JSON200.Data["total"], 42.5)
	page := must(service.QueryItemsWithResponse(ctx, database, client.QueryItemsRequest{PartitionKey: pk}))
	expect(len(page.JSON200.Items), 1)
	expect(*page.JSON200.Items[0].Sk, sk)
	missing := must(service.GetItemWithResponse(ctx, database, "nobody"))
	expect(strings.HasSuffix(missing.ApplicationproblemJSON404.Type, "/item-not-found"), true)

	result := must(service.RunSqlQueryWithResponse(ctx, database, client.SqlQueryRequest{
		Sql:        "SELECT page FROM page_views WHERE page = ? LIMIT 1",
		Parameters: &map[string]interface{}{"p1": "/home"},
	}))
	expect(len(result.JSON200.Rows), 1)
	expect(result.JSON200.Rows[0]["page"], "/home")
}

func connect(credential string) *client.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if credential != "" {
			request.Header.Set("Authorization", "Bearer "+credential)
		}
		return nil
	}
	return must(client.NewClientWithResponses(os.Getenv("SERVICE_URL"), client.WithRequestEditorFn(authorize)))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expect(actual, expected any) {
	if actual != expected {
		panic(fmt.Sprintf("expected %v, not %v", expected, actual))
	}
}
