/* What the C libraries alone take for a packet on its way in: one receive, AES-256-GCM for the road, AES-128-GCM as DAVE opens,
   Opus to 24 kHz mono, one message to whoever listens. Arguments: hot or woken, seconds, a Python that can be the company of who is
   woken, libopus, WAV files of 16 kHz mono. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 480, PEOPLE = 8, APART = 37, AT_ONCE = 64, WARM_UP = 10 };
enum { AUDIO = 2049, BITRATE = 4002, COMPLEXITY = 4010, MOST_FRAMES = 400 };
enum { TAG = 16, SHORT_TAG = 8, HEADER = 12, COUNTER = 4, TRAILER = 4, LETTER = 28, SET_NONCE_LENGTH = 0x9, GET_TAG = 0x10, SET_TAG = 0x11 };

typedef struct { void *decoder, *seal, *open; uint32_t said; } person_t;
typedef int (*begin_t)(void *, const void *, void *, const unsigned char *, const unsigned char *);
typedef int (*update_t)(void *, unsigned char *, int *, const unsigned char *, int);
typedef int (*finish_t)(void *, unsigned char *, int *);
static void *(*cipher_new)(void), *(*encoder_new)(int32_t, int, int, int *), *(*decoder_new)(int32_t, int, int *);
static const void *(*aes_128)(void), *(*aes_256)(void);
static begin_t begin_seal, begin_open;
static update_t update_seal, update_open;
static finish_t finish_seal, finish_open;
static int (*control)(void *, int, int, void *), (*ctl)(void *, int, ...);
static int (*encode)(void *, const int16_t *, int, unsigned char *, int32_t);
static int (*decode)(void *, const unsigned char *, int32_t, int16_t *, int, int);
static unsigned char opus[MOST_FRAMES][1000];
static int length_of[MOST_FRAMES], frames, in, out, near, far, port;
static void *road_seal, *road_open;
static person_t people[PEOPLE];
static uint32_t said;

static void cannot(const char *why)
{
    printf("{\"cannot\": \"%s\"}\n", why);
    exit(0);
}

static void *found(void *library, const char *name)
{
    void *symbol = library ? dlsym(library, name) : NULL;
    if (!symbol)
        cannot("libcrypto.so.3 or libopus was not found: on Debian, apt-get install libssl3 libopus0");
    return symbol;
}

static void load(const char *libopus)
{
    void *crypto = dlopen("libcrypto.so.3", RTLD_NOW), *codec = dlopen(libopus, RTLD_NOW);
    *(void **)&cipher_new = found(crypto, "EVP_CIPHER_CTX_new");
    *(void **)&aes_128 = found(crypto, "EVP_aes_128_gcm");
    *(void **)&aes_256 = found(crypto, "EVP_aes_256_gcm");
    *(void **)&begin_seal = found(crypto, "EVP_EncryptInit_ex");
    *(void **)&update_seal = found(crypto, "EVP_EncryptUpdate");
    *(void **)&finish_seal = found(crypto, "EVP_EncryptFinal_ex");
    *(void **)&begin_open = found(crypto, "EVP_DecryptInit_ex");
    *(void **)&update_open = found(crypto, "EVP_DecryptUpdate");
    *(void **)&finish_open = found(crypto, "EVP_DecryptFinal_ex");
    *(void **)&control = found(crypto, "EVP_CIPHER_CTX_ctrl");
    *(void **)&encoder_new = found(codec, "opus_encoder_create");
    *(void **)&decoder_new = found(codec, "opus_decoder_create");
    *(void **)&ctl = found(codec, "opus_encoder_ctl");
    *(void **)&encode = found(codec, "opus_encode");
    *(void **)&decode = found(codec, "opus_decode");
}

/* The speech that the others decode as well: each file from 16 to 24 kHz in a straight line, encoded beforehand. */
static void read_speech(int files, char **names)
{
    static int16_t raw[1 << 20], speech[MOST_FRAMES * FRAME];
    int made = 0, code = 0;
    for (int i = 0; i < files; i++) {
        FILE *file = fopen(names[i], "rb");
        if (!file || fseek(file, 44, SEEK_SET))
            cannot("the recordings under tests/speech are not there: take a whole checkout");
        int have = (int)fread(raw, 2, 1 << 20, file);
        fclose(file);
        for (int at = 0; at + 2 < have && made + 3 <= MOST_FRAMES * FRAME; at += 2) {
            int a = raw[at], b = raw[at + 1], c = raw[at + 2];
            speech[made++] = (int16_t)a;
            speech[made++] = (int16_t)((a + 2 * b + 98304) / 3 - 32768);
            speech[made++] = (int16_t)((2 * b + c + 98304) / 3 - 32768);
        }
    }
    void *encoder = encoder_new(24000, 1, AUDIO, &code);
    ctl(encoder, BITRATE, 64000);
    ctl(encoder, COMPLEXITY, 5);
    for (frames = 0; frames < made / FRAME; frames++)
        length_of[frames] = encode(encoder, speech + frames * FRAME, FRAME, opus[frames], sizeof opus[frames]);
}

static void *keyed(const void *algorithm, begin_t begin)
{
    static const unsigned char key[32] = {7};
    void *context = cipher_new();
    begin(context, algorithm, NULL, NULL, NULL);
    control(context, SET_NONCE_LENGTH, 12, NULL);
    begin(context, NULL, NULL, key, NULL);
    return context;
}

static int seal(void *context, uint32_t number, const unsigned char *clear, int clear_length, const unsigned char *text, int length,
                unsigned char *sealed, int tag)
{
    unsigned char nonce[12] = {0};
    int did = 0, rest = 0;
    memcpy(nonce, &number, sizeof number);
    begin_seal(context, NULL, NULL, NULL, nonce);
    if (clear_length)
        update_seal(context, NULL, &did, clear, clear_length);
    update_seal(context, sealed, &did, text, length);
    finish_seal(context, sealed + did, &rest);
    control(context, GET_TAG, tag, sealed + did);
    return did + tag;
}

static int opened(void *context, const unsigned char *number, const unsigned char *clear, int clear_length, unsigned char *sealed,
                  int length, unsigned char *text, int tag)
{
    unsigned char nonce[12] = {0};
    int did = 0, rest = 0;
    memcpy(nonce, number, COUNTER);
    begin_open(context, NULL, NULL, NULL, nonce);
    if (clear_length)
        update_open(context, NULL, &did, clear, clear_length);
    update_open(context, text, &did, sealed, length - tag);
    control(context, SET_TAG, tag, sealed + length - tag);
    if (finish_open(context, text + did, &rest) != 1)
        exit(1);
    return did;
}

/* The next packet of whoever's turn it is, sealed as a client and a voice server do it; its length. */
static int sealed_packet(unsigned char *packet)
{
    static const unsigned char trailer[] = {12, 0xfa, 0xfa};
    unsigned char frame[1100];
    uint32_t who = said++ % PEOPLE, number = people[who].said++, ssrc = htonl(1000 + who), counter = htonl(said);
    int which = (number + APART * who) % frames;
    int length = seal(people[who].seal, number, NULL, 0, opus[which], length_of[which], frame, SHORT_TAG);
    frame[length++] = (unsigned char)number;
    memcpy(frame + length, trailer, sizeof trailer);
    length += sizeof trailer;
    packet[0] = 0x80, packet[1] = 120;
    packet[2] = (unsigned char)(number >> 8);
    packet[3] = (unsigned char)number;
    memcpy(packet + 4, &number, sizeof number);
    memcpy(packet + 8, &ssrc, sizeof ssrc);
    length = HEADER + seal(road_seal, counter, packet, HEADER, frame, length, packet + HEADER, TAG);
    memcpy(packet + length, &counter, COUNTER);
    return length + COUNTER;
}

/* What is measured. */
static void hear(void)
{
    unsigned char packet[2048], frame[2048], plain[2048];
    struct { unsigned char header[LETTER]; int16_t pcm[FRAME]; } letter = {0};
    uint32_t ssrc;
    int length = (int)recv(in, packet, sizeof packet, 0);
    memcpy(&ssrc, packet + 8, sizeof ssrc);
    person_t *who = &people[(ntohl(ssrc) - 1000) % PEOPLE];
    length -= HEADER + COUNTER;
    length = opened(road_open, packet + HEADER + length, packet, HEADER, packet + HEADER, length, frame, TAG) - TRAILER;
    length = opened(who->open, packet + 4, NULL, 0, frame, length, plain, SHORT_TAG);
    if (decode(who->decoder, plain, length, letter.pcm, FRAME, 0) != FRAME)
        exit(1);
    memcpy(letter.header, &ssrc, sizeof ssrc);
    if (send(near, &letter, sizeof letter, MSG_DONTWAIT) < 0)
        exit(1);
}

static void prepare(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int room = 1 << 20, ends[2], code = 0;
    in = socket(AF_INET, SOCK_DGRAM, 0);
    out = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(in, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (bind(in, (struct sockaddr *)&address, length) || getsockname(in, (struct sockaddr *)&address, &length)
        || connect(out, (struct sockaddr *)&address, length) || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        exit(1);
    near = ends[0], far = ends[1], port = ntohs(address.sin_port);
    setsockopt(near, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    road_seal = keyed(aes_256(), begin_seal);
    road_open = keyed(aes_256(), begin_open);
    for (int i = 0; i < PEOPLE; i++)
        people[i] = (person_t){decoder_new(24000, 1, &code), keyed(aes_128(), begin_seal), keyed(aes_128(), begin_open), 0};
}

static double spent(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static double hot(int rounds)
{
    unsigned char letter[2048], packet[1200];
    double took = 0;
    for (int turn = -WARM_UP; turn < rounds; turn++) {
        for (int i = 0; i < AT_ONCE; i++)
            if (send(out, packet, sealed_packet(packet), 0) < 0)
                exit(1);
        double began = spent();
        for (int i = 0; i < AT_ONCE; i++)
            hear();
        took += turn < 0 ? 0 : spent() - began;
        while (recv(far, letter, sizeof letter, MSG_DONTWAIT) > 0)
            ;
    }
    return took / (rounds * AT_ONCE);
}

/* One packet a wake: who sends and who listens are a process of their own. */
static double woken(int packets, char *python)
{
    unsigned char packet[1200];
    char words[3][12];
    int written = memfd_create("packets", 0);
    double began = 0;
    for (int i = 0; i < packets + AT_ONCE; i++) {
        uint16_t length = (uint16_t)sealed_packet(packet);
        if (write(written, &length, sizeof length) < 0 || write(written, packet, length) < 0)
            exit(1);
    }
    snprintf(words[0], sizeof words[0], "%d", port);
    snprintf(words[1], sizeof words[1], "%d", written);
    snprintf(words[2], sizeof words[2], "%d", far);
    if (!fork()) {
        close(near);
        execl(python, python, "-m", "tests.benchmarks.receive.company", words[0], words[1], words[2], (char *)NULL);
        _exit(1);
    }
    close(far);
    for (int number = -AT_ONCE; number < packets; number++) {
        if (number == 0)
            began = spent();
        hear();
    }
    double each = (spent() - began) / packets;
    close(near);
    wait(NULL);
    return each;
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 1;
    load(argv[4]);
    read_speech(argc - 5, argv + 5);
    prepare();
    int packets = (int)(atof(argv[2]) * 50 * PEOPLE);
    double us = strcmp(argv[1], "hot") ? woken(packets, argv[3]) : hot(packets / AT_ONCE + 1);
    printf("{\"values\": {\"us\": %.3f}}\n", us);
    return 0;
}
