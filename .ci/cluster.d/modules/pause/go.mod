module taproom.dev/cluster/pause

go 1.24
