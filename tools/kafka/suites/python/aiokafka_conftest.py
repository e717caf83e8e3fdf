

# What follows replaces the fixtures that start a container: the broker is there.
import os

from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

PORT = int(os.environ["SUITE_PORT"])
BROKER = f"127.0.0.1:{PORT}"
PRODUCER_OPERATIONS = ["WRITE", "DESCRIBE", "CREATE"]
CONSUMER_OPERATIONS = ["READ", "DESCRIBE"]


def wait_for(futures):
    for future in futures.values():
        future.result()


class BrokerAcls(ACLManager):
    """Instead of kafka-acls.sh in the container."""

    def __init__(self):
        self._active_acls = []
        self._admin = AdminClient({"bootstrap.servers": BROKER})

    def _bindings(self, **acl):
        resources = [
            (ResourceType.TOPIC, acl.get("topic")),
            (ResourceType.GROUP, acl.get("group")),
            (ResourceType.TRANSACTIONAL_ID, acl.get("transactional_id")),
            (ResourceType.BROKER, "kafka-cluster" if acl.get("cluster") else None),
        ]
        permission = "DENY" if acl.get("deny_principal") else "ALLOW"
        principal = acl.get("allow_principal") or acl.get("deny_principal")
        host = acl.get("allow_host") or acl.get("deny_host") or "*"
        operations = (
            PRODUCER_OPERATIONS
            if acl.get("producer")
            else CONSUMER_OPERATIONS
            if acl.get("consumer")
            else [(acl.get("operation") or "All").upper()]
        )
        return [
            (kind, name, ResourcePatternType.LITERAL, f"User:{principal}", host,
             AclOperation[operation], AclPermissionType[permission])
            for kind, name in resources
            if name is not None
            for operation in operations
        ]

    def add_acl(self, **acl):
        wait_for(self._admin.create_acls([AclBinding(*binding) for binding in self._bindings(**acl)]))
        self._active_acls.append(acl)

    def remove_acl(self, **acl):
        wait_for(self._admin.delete_acls([AclBindingFilter(*binding) for binding in self._bindings(**acl)]))
        self._active_acls.remove(acl)

    def list_acl(self, principal=None):
        return []


class BrokerUsers:
    """Instead of kafka-configs.sh in the container."""

    def add_scram_user(self, username, password):
        admin = AdminClient({"bootstrap.servers": BROKER})
        # Both at once are refused: a user cannot be altered twice in a request.
        for mechanism in [ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512]:
            credential = ScramCredentialInfo(mechanism, 4096)
            upsertion = UserScramCredentialUpsertion(username, credential, password.encode())
            wait_for(admin.alter_user_scram_credentials([upsertion]))


@pytest.fixture(scope="session")
def docker():
    return None


@pytest.fixture(scope="session")
def kafka_image():
    return "4.1.0"


@pytest.fixture(scope="session")
def ssl_folder():
    return pathlib.Path(os.environ["SUITE_TLS_FOLDER"])


@pytest.fixture(scope="session")
def kafka_server():
    return KafkaServer("127.0.0.1", PORT, PORT + 1, PORT + 2, PORT + 3, None)


@pytest.fixture(scope="class")
def acl_manager():
    return BrokerAcls()


@pytest.fixture(scope="class")
def kafka_config():
    return BrokerUsers()


@pytest.fixture(scope="class")
def kerberos_utils():
    return None
