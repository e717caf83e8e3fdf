console.log('waiting')
setInterval(() => {}, 60_000)
