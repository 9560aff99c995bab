import { describe, expect, it } from "vitest";
import { parseBaseUrl } from "./file-target.js";

describe("a base URL", () => {
  it.each([
    ["HTTP://Data.Example.COM:80/", "http://data.example.com"],
    ["https://data.example.com/v1//", "https://data.example.com/v1"],
  ])("%s is read as %s", (text, url) => {
    expect(parseBaseUrl(text)).toBe(url);
  });

  it.each(["data.example.com", "ftp://data.example.com"])("%s is rejected", (text) => {
    expect(() => parseBaseUrl(text)).toThrow("must begin with http:// or https://");
  });

  it.each(["https://me:secret@h/", "https://h/?key=secret", "https://h/#secret"])(
    "%s is rejected without repeating secrets",
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow(
        "the base URL must not have a user name, a password, a query or a fragment: use https://h/",
      );
    },
  );
});
