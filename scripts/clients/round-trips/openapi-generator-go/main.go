package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"roundtrip/client"
)

const (
	pk = "customer#a/b"
	sk = "order#1"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("SERVICE_URL")}}
	service := client.NewAPIClient(configuration)

	login, _, err := service.SessionAPI.Login(context.Background()).
		LoginRequest(*client.NewLoginRequest("owner@demo.test", "demo-password")).Execute()
	check(err)
	session := login.GetAuthResponse()
	asUser := context.WithValue(context.Background(), client.ContextAccessToken, session.AccessToken)
	list, _, err := service.MembersAPI.ListMembers(asUser, session.PersonalOrgId).Execute()
	check(err)
	expect(list.Members[0].Email, "owner@demo.test")

	withKey := context.WithValue(context.Background(), client.ContextAccessToken, "dsk_demo_all")
	order := client.NewPutItemRequest(pk, map[string]interface{}{"total": 42.5})
	order.SetSk(sk)
	put, _, err := service.ItemsAPI.PutItem(withKey, "db_demo").PutItemRequest(*order).Execute()
	check(err)
	expect(put.Pk, pk)
	got, _, err := service.ItemsAPI.GetItemWithSortKey(withKey, "db_demo", pk, sk).Execute()
	check(err)
	expect(got.Data["total"], 42.5)
	page, _, err := service.ItemsAPI.QueryItems(withKey, "db_demo").
		QueryItemsRequest(*client.NewQueryItemsRequest(pk)).Execute()
	check(err)
	expect(len(page.Items), 1)
	expect(page.Items[0].GetSk(), sk)
	_, _, err = service.ItemsAPI.GetItem(withKey, "db_demo", "nobody").Execute()
	problem := err.(*client.GenericOpenAPIError).Model().(client.NotFoundProblem)
	expect(strings.HasSuffix(problem.Type, "/item-not-found"), true)

	query := client.NewSqlQueryRequest("SELECT page FROM page_views WHERE page = ? LIMIT 1")
	query.SetParameters(map[string]interface{}{"p1": "/home"})
	result, _, err := service.SQLAPI.RunSqlQuery(withKey, "db_demo").SqlQueryRequest(*query).Execute()
	check(err)
	expect(len(result.Rows), 1)
	expect(result.Rows[0]["page"], "/home")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(actual, expected any) {
	if actual != expected {
		panic(fmt.Sprintf("expected %v, not %v", expected, actual))
	}
}
