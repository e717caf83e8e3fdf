FROM debian:bookworm-slim
RUN apt-get update -qq \
  && mkdir -p /usr/share/man/man1 \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless \
  && rm -rf /var/lib/apt/lists/*
COPY libs /opt/kafka/libs
COPY kafka-entrypoint /opt/kafka/entrypoint
RUN useradd --system kafka && mkdir -p /var/lib/kafka && chown kafka /var/lib/kafka
USER kafka
EXPOSE 9092
ENTRYPOINT ["/opt/kafka/entrypoint"]
