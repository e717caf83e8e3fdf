import '@taproom/event-platform/main'
