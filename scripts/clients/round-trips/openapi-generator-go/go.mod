module roundtrip

go 1.24
