FROM debian:bookworm-slim
RUN apt-get update -qq \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light \
  && rm -rf /var/lib/apt/lists/*
EXPOSE 8080
CMD ["nginx", "-g", "daemon off;"]
