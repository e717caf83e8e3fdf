use axum::{http::StatusCode, response::Response, routing::post, Router};
use cloudevents::binding::reqwest::RequestBuilderExt;
use cloudevents::{AttributesReader, Event, EventBuilder, EventBuilderV10};
use serde_json::{json, Value};
use tokio::io::{AsyncBufReadExt, BufReader};

fn text(event: &Value, name: &str) -> String {
    event[name].as_str().unwrap_or_default().to_string()
}

async fn send(client: &reqwest::Client, url: &str, given: &Value) -> Result<u16, String> {
    let mut builder = EventBuilderV10::new()
        .id(text(given, "id"))
        .source(text(given, "source"))
        .ty(text(given, "type"));
    if given["subject"].is_string() {
        builder = builder.subject(text(given, "subject"));
    }
    if !given["data"].is_null() {
        builder = builder.data("application/json", given["data"].clone());
    }
    let event = builder.build().map_err(|error| error.to_string())?;
    let request = client.post(url).event(event).map_err(|error| error.to_string())?;
    let answer = request.send().await.map_err(|error| format!("{error:?}"))?;
    Ok(answer.status().as_u16())
}

async fn receive(read: Result<Event, Response>) -> StatusCode {
    let event = match read {
        Ok(event) => event,
        Err(answer) => {
            println!("{}", json!({ "refused": "a header that is not ASCII" }));
            return answer.status();
        }
    };
    let seen = json!({
        "id": event.id(),
        "source": event.source().to_string(),
        "subject": event.subject(),
        "hasData": event.data().is_some(),
    });
    println!("{}", json!({ "received": seen }));
    StatusCode::ACCEPTED
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", json!({ "port": listener.local_addr().unwrap().port() }));
    let app = Router::new().route("/", post(receive));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let client = reqwest::Client::new();
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        let order: Value = serde_json::from_str(&line).unwrap();
        let sent = send(&client, order["url"].as_str().unwrap(), &order["event"]).await;
        println!("{}", match sent {
            Ok(status) => json!({ "sent": status }),
            Err(error) => json!({ "failed": error }),
        });
    }
}
