FROM debian:bookworm-slim
RUN apt-get update -qq \
  && mkdir -p /usr/share/man/man1 \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless \
  && rm -rf /var/lib/apt/lists/*
COPY libs /opt/kafka/libs
COPY kafka-entrypoint /opt/kafka/entrypoint
# As in the public image, user 1000.
RUN useradd --uid 1000 kafka && mkdir -p /var/lib/kafka && chown kafka /var/lib/kafka
USER kafka
COPY kafka-train /opt/kafka/train
# Formats the storage and keeps the classes that a start loads, so that a container is up in a second or two.
RUN /opt/kafka/train
EXPOSE 9092
ENTRYPOINT ["/opt/kafka/entrypoint"]
